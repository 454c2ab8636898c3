//! Division of anything but INT_MIN by -1 does not overflow.
//! expect: no-overflow true
//! expect: no-div-zero true
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    if (d == 0 || (x == INT_MIN && d == -1))
        return 0;
    return (x / d + x % d) == 0 && 0;
}
