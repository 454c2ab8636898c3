//! A mutex is destroyed while a thread may still use it.
//! expect: valid-sync false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *uses(void *a) {
    pthread_mutex_lock(&m); // violation: valid-sync
    pthread_mutex_unlock(&m); // violation: valid-sync
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, uses, 0);
    pthread_mutex_destroy(&m); // violation: valid-sync
    pthread_join(t, 0);
    return 0;
}
