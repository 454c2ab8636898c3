//! A thread that spins for ever is stuck by non-termination, not by deadlock, even when all others have ended.
//! expect: no-deadlock true
//! expect: unreach-call true
//! gcc: skip does not terminate
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *child(void *arg) {
    while (!ready)
        ;
    assert(0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
