//! Two bit-fields of one byte are written one after the other, and copied with the padding beside them: every decision is on what was written.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>

struct mode {
    unsigned kind : 3;
    unsigned urgent : 1;
};

int main(void) {
    struct mode first, second;
    first.kind = 5;
    if (first.kind != 5)
        return 1;
    first.urgent = 1;
    second = first;
    assert(second.kind == 5 && second.urgent);
    return 0;
}
