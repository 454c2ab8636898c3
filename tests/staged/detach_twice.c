//! A second detach fails.
//! expect: unreach-call true
//! expect: valid-sync false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);

void *child(void *argument) { return argument; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    __VERIFIER_assert(pthread_detach(t) == 0);
    __VERIFIER_assert(pthread_detach(t) != 0);
    return 0;
}
