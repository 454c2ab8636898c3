//! Division by zero stops the thread: nothing behind it happens.
//! expect: unreach-call true
//! expect: no-div-zero false
//! gcc: skip ends the process with a signal
#include <assert.h>

int main(void) {
    volatile int zero = 0;
    int y = 7 / zero; // violation: no-div-zero
    assert(y == 0 && y == 1);
    return 0;
}
