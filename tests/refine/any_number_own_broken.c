//! Threads without end, the steps of which are counted together by mistake, outside of the lock.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__thread int steps = 2;
int done;
int level;

void raise_it(void) {
    level = 1;
}

void lower_it(void) {
    level = 0;
}

void *worker(void *arg) {
    void (*work)(void) = __VERIFIER_nondet_int() ? raise_it : lower_it;
    pthread_mutex_lock(&lock);
    work();
    assert(level == 0 || level == 1);
    pthread_mutex_unlock(&lock);
    done = done + 1;
    assert(done == 1);
    steps = steps + done;
    assert(steps == 3);
    return arg;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
