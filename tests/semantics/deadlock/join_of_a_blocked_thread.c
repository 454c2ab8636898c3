//! Waiting for a thread that waits for a mutex of the waiter is a cycle.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return 0;
}
