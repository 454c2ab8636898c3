//! A thread ended with the mutex: it is still held when it is destroyed.
//! expect: valid-sync false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *a) {
    pthread_mutex_lock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, keeps, 0);
    pthread_join(t, 0);
    pthread_mutex_destroy(&m); // violation: valid-sync
    return 0;
}
