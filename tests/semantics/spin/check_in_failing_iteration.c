//! A waiting loop keeps one failing iteration with its checks: an assertion in its body can fail while waiting.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy, ready;

static void *child(void *arg) {
    busy = 1;
    busy = 0;
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    while (!ready)
        assert(!busy); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
