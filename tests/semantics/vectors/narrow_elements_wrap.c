//! Elements are not promoted: bytes wrap around.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

typedef unsigned char b8 __attribute__((vector_size(8)));

int main(void) {
    b8 a = {250, 1, 2, 3, 4, 5, 6, 255};
    b8 b = a + 10;
    b8 c = b << 4;
    assert(b[0] == 4 && b[1] == 11 && b[7] == 9);
    assert(c[0] == 64 && c[1] == 176);
    return 0;
}
