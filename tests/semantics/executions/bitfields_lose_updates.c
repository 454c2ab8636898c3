//! A store to a bit-field rewrites its neighbours: two flags under two locks lose updates.
//! expect: unreach-call false
//! expect: no-data-race false
//! gcc: skip a native run hardly ever loses the update
#include <assert.h>
#include <pthread.h>

static struct { unsigned ready : 1, done : 1; } flags;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&a);
    flags.ready = 1; // violation: no-data-race
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&b);
    flags.done = 1; // violation: no-data-race
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    assert(flags.ready && flags.done); // violation: unreach-call
    return 0;
}
