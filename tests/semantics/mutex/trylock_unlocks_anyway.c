//! An unlock behind a trylock that may have failed.
//! expect: valid-sync false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tries(void *a) {
    pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m); // violation: valid-sync
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, tries, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
