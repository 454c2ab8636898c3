//! Threads without end, one after the other behind a lock that is only a flag: whoever put it up is inside.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

volatile int flag;
volatile unsigned value;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(flag == 0);
    flag = 1;
    __VERIFIER_atomic_end();
    unsigned before = value;
    if (before < 1000000) {
        value = before + 1;
        assert(value == before + 1);
    }
    flag = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
