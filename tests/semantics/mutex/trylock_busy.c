//! trylock does not wait: on a held mutex it fails with EBUSY, also for the holder of a normal mutex.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return arg;
}

int main(void) {
    pthread_t a;
    assert(pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
