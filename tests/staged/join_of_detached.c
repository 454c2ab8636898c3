//! The join of a detached thread does not wait.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int x;
void *child(void *argument) { x = 1; return argument; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    __VERIFIER_assert(x == 1);
    return 0;
}
