//! A shift by the width or more yields any value, here not the 1 of the processor.
//! expect: unreach-call false
//! expect: no-bad-shift false
#include <assert.h>

int main(void) {
    volatile int by = 32;
    unsigned y = 1u << by; // violation: no-bad-shift
    assert(y == 1); // violation: unreach-call
    return 0;
}
