//! A join on a thread that loops for ever never returns, and that is not a deadlock.
//! expect: unreach-call true
//! expect: no-deadlock true
//! gcc: skip does not terminate
#include <assert.h>
#include <pthread.h>

static void *looping(void *arg) {
    for (;;)
        ;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, looping, 0);
    pthread_join(a, 0);
    assert(0);
    return 0;
}
