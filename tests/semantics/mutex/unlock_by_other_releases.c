//! A normal mutex that another thread unlocks is free, as glibc has it.
//! expect: unreach-call true
//! expect: valid-sync false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    assert(pthread_mutex_unlock(&m) == 0); // violation: valid-sync
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}
