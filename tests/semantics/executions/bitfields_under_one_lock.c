//! Two neighbouring bit-fields under one lock lose nothing.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static struct { unsigned ready : 1, done : 1; } flags;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&a);
    flags.ready = 1;
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&a);
    flags.done = 1;
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    assert(flags.ready && flags.done);
    return 0;
}
