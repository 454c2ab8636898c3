//! A joined thread finishes what nobody else sees before the join.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int y, a[1];
void *child(void *argument) { a[0] = y; return argument; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    __VERIFIER_assert(0);
    return 0;
}
