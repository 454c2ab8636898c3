//! An input takes every value of its type.
//! expect: unreach-call false
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != INT_MIN); // violation: unreach-call
    return 0;
}
