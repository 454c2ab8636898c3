//! Two threads that take two mutexes in opposite order can block each other.
//! expect: no-deadlock false
//! expect: unreach-call true
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n); // violation: no-deadlock
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
