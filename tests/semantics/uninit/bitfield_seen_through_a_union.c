//! The byte that holds a written bit-field and an unwritten one is read as a number: only the bits that are picked out count.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>

union view {
    struct {
        unsigned char low : 4, high : 4;
    } parts;
    unsigned char raw;
};

int main(void) {
    union view v;
    v.parts.low = 3;
    if ((v.raw & 15) != 3)
        assert(0);
    return 0;
}
