//! Spurious wake-ups are off for no-deadlock: they neither rescue a lost wake-up nor cause a deadlock of their own.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    if (!ready)
        pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
