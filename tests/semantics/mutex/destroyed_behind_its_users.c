//! A mutex is destroyed when all its users are over.
//! expect: valid-sync true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *uses(void *a) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, uses, 0);
    pthread_join(t, 0);
    pthread_mutex_destroy(&m);
    return 0;
}
