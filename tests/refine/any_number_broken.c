//! Threads without end, one after the other behind a lock that is only a flag: the test and the flag do not fit.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

volatile int flag;
volatile unsigned value;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(flag <= 2);
    flag = 2;
    __VERIFIER_atomic_end();
    unsigned before = value;
    if (before < 1000000) {
        value = before + 1;
        assert(value == before + 1); // violation: unreach-call
    }
    flag = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
