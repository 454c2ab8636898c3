//! Two calls give two independent inputs.
//! expect: unreach-call false
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    assert(x == y); // violation: unreach-call
    return 0;
}
