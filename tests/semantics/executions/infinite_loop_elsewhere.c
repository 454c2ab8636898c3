//! A thread that loops for ever does not hide the bug of another thread.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *looping(void *arg) {
    for (;;)
        x = !x;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, looping, 0);
    assert(x == 0); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
