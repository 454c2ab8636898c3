//! Release and sleep are one step: whoever learned under the mutex that a thread waits may destroy the condition
//! variable after the broadcast that wakes it.
//! expect: no-data-race true
//! expect: valid-sync true
//! gcc: skip destroys while the sleeper is about to wake
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, go;

static void *sleeper(void *arg) {
    pthread_mutex_lock(&m);
    waiting = 1;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, sleeper, 0);
    pthread_mutex_lock(&m);
    int asleep = waiting;
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    if (asleep)
        pthread_cond_destroy(&c);
    pthread_join(a, 0);
    return 0;
}
