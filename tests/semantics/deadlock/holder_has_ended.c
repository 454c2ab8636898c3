//! A mutex whose holder has ended is never released: who waits for it is blocked for good.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
