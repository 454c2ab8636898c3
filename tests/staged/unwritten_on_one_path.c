//! Memory that is written on one path only: the interpreter asks for its value on the other.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x, *p = &x;
    if (__VERIFIER_nondet_int())
        *p = 1;
    __VERIFIER_assert(x != 5);
    return 0;
}
