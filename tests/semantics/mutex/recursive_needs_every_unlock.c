//! A recursive mutex is free only after as many unlocks as locks.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *child(void *arg) {
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0); // violation: no-deadlock
    return 0;
}
