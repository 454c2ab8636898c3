//! Three threads add to one sum under a lock, and all but the last of them are joined before somebody looks, without the lock.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3, TIMES = 2 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

void *adds(void *arg) {
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&lock);
        sum = sum + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, adds, 0);
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(t[i], 0);
    assert(sum == THREADS * TIMES);
    return 0;
}
