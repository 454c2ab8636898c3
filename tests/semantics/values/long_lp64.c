//! On LP64 a long has 64 bits: 2^31 fits.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

int main(void) {
    volatile long x = 2147483647L;
    assert(x + 1 > x);
    assert(sizeof(long) == 8 && sizeof(void *) == 8);
    return 0;
}
