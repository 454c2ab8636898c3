//! A thread that writes through a pointer to a left scope stops there.
//! expect: unreach-call true
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int *p;
void *child(void *argument) {
    { int gone = 0; p = &gone; }
    *p = 0;
    return argument;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    __VERIFIER_assert(0);
    return 0;
}
