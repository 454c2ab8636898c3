//! Narrow types are promoted before they are divided, and unsigned ones have no -1: these quotients fit.
//! expect: no-div-zero true
//! expect: no-overflow true
#include <limits.h>

extern short __VERIFIER_nondet_short(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    short s = __VERIFIER_nondet_short();
    signed char c = SCHAR_MIN;
    unsigned u = __VERIFIER_nondet_uint();
    int sum = s / -1 + c / -1 + (int)(u / UINT_MAX) + (int)(u % UINT_MAX == 0);
    return sum == INT_MIN;
}
