//! `memcmp` tells by the first difference, whatever follows, and by unsigned characters.
//! expect: valid-memsafety true
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <string.h>

int main(void) {
    char a[3], b[3];
    a[0] = b[0] = 1, a[1] = (char)200, b[1] = 100;
    a[2] = 0, b[2] = 9;
    assert(memcmp(a, b, 3) > 0 && memcmp(b, a, 2) < 0 && memcmp(a, b, 1) == 0 && memcmp(a, b, 0) == 0);
    return 0;
}
