//! The remainder of the smallest number and -1 stops the machine as a division by zero does.
//! expect: no-div-zero false
//! expect: unreach-call true
//! gcc: skip undefined
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile long dividend = LONG_MIN, divisor = -1;
    long result = dividend % divisor; // violation: no-div-zero
    assert(result == 0 && result == 1);
    return 0;
}
