//! Ten threads add to one sum, each four times, under a lock; they are made and joined in loops. All sections commute, so one order stands for all.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

enum { THREADS = 10, TIMES = 4 };

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
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(sum == THREADS * TIMES);
    return 0;
}
