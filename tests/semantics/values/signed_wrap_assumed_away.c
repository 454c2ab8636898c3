//! Nobody may assume that signed arithmetic does not overflow: `x + 1 > x` can be false.
//! expect: unreach-call false
//! expect: no-overflow false
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x + 1; // violation: no-overflow
    assert(y > x); // violation: unreach-call
    return 0;
}
