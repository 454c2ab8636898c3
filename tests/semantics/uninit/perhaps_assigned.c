//! A variable that is assigned on one path only holds an arbitrary value on the other.
//! expect: unreach-call false
//! expect: no-uninit false
//! gcc: skip the value is left to the compiler
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    assert(x == 1); // violation: unreach-call, no-uninit
    return 0;
}
