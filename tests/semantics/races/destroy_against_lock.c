//! Destroying a mutex races with locking it.
//! expect: no-data-race false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m); // violation: no-data-race
    pthread_mutex_unlock(&m); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_mutex_destroy(&m); // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
