//! A free of what is no heap object stops the thread.
//! expect: unreach-call true
//! expect: valid-free false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int n, *hs = &n;
void *child(void *argument) { *hs = 0; return argument; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    free(hs);
    pthread_join(t, 0);
    __VERIFIER_assert(0);
    return 0;
}
