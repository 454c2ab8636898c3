//! A mutex that is destroyed a second time is accessed all the same: that races with a lock beside it.
//! expect: no-data-race false
//! expect: unreach-call true
#include <pthread.h>

pthread_mutex_t m;

static void *destroyer(void *arg) {
    pthread_mutex_destroy(&m);
    return arg;
}

static void *locker(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_destroy(&m);
    pthread_create(&a, 0, destroyer, 0);
    pthread_create(&b, 0, locker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
