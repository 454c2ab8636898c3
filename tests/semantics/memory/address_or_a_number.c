//! A number that was computed from an address on one way and is the address on the other may be either.
//! expect: unreach-call false
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
static int a;

int main(void) {
    uintptr_t x = (uintptr_t)&a;
    if (__VERIFIER_nondet_int())
        x = x / 16;
    uintptr_t y = x;
    assert(y == (uintptr_t)&a); // violation: unreach-call
    return 0;
}
