//! Threads that stay blocked at a lock whose address is computed do not take it.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int y;
pthread_mutex_t ms[2];
void *writes(void *argument) { y = 0; return argument; }
void *locks(void *argument) {
    pthread_mutex_lock(&ms[y != 0]);
    pthread_mutex_unlock(&ms[y != 0]);
    return argument;
}
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, writes, 0);
    pthread_create(&u, 0, locks, 0);
    pthread_create(&v, 0, locks, 0);
    pthread_join(v, 0);
    __VERIFIER_assert(0);
    return 0;
}
