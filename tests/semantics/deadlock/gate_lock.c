//! Opposite orders are harmless under a common outer lock.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_mutex_unlock(&gate);
}

static void *child(void *arg) {
    both(&m, &n);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    both(&n, &m);
    pthread_join(a, 0);
    return 0;
}
