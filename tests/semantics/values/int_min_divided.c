//! INT_MIN / -1 is an overflow.
//! expect: no-overflow false
//! expect: no-div-zero false
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x / -1; // violation: no-overflow, no-div-zero
    return y == 0;
}
