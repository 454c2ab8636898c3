//! A cycle of waits is a deadlock although a third thread still runs.
//! expect: no-deadlock false
//! gcc: skip does not terminate
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n); // violation: no-deadlock
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *other(void *arg) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    for (;;)
        ;
}
