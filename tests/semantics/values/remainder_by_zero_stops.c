//! Remainder by zero stops the thread, too, also for unsigned operands.
//! expect: unreach-call true
//! expect: no-div-zero false
//! gcc: skip ends the process with a signal
#include <assert.h>

int main(void) {
    volatile unsigned zero = 0;
    unsigned y = 7u % zero; // violation: no-div-zero
    assert(y == 0 && y == 1);
    return 0;
}
