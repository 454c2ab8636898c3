//! Threads without end that take turns by a word that they change in one step: what they share besides is never raced for.
//! expect: no-data-race true
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int taken;
unsigned value;

void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(taken == 0);
    taken = 1;
    __VERIFIER_atomic_end();
    value = 1;
    __VERIFIER_atomic_begin();
    taken = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
