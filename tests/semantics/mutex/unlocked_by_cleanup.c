//! A cleanup that unlocks does so on every way out of the function.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void unlocks(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }

static void *adds(void *arg) {
    __attribute__((cleanup(unlocks))) pthread_mutex_t *guard = &m;
    pthread_mutex_lock(guard);
    if (++x == 2)
        return 0;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
