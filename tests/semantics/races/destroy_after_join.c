//! Destroyed after the join, the mutex is nobody's any more.
//! expect: no-data-race true
//! expect: valid-sync true
//! expect: unreach-call true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_mutex_destroy(&m);
    return 0;
}
