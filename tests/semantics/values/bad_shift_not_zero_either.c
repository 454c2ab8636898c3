//! A shift by a negative amount yields any value, not only 0.
//! expect: unreach-call false
//! expect: no-bad-shift false
#include <assert.h>

int main(void) {
    volatile int by = -1;
    unsigned y = 8u >> by; // violation: no-bad-shift
    assert(y == 0); // violation: unreach-call
    return 0;
}
