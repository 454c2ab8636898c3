//! The same in a thread that another one joins, too: its own join does not count.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync false
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *child(void *arg) {
    int code = pthread_join(pthread_self(), 0); // violation: valid-sync
    assert(code == EDEADLK);
    return arg;
}

int main(void) {
    pthread_t a;
    int one;
    void *result;
    pthread_create(&a, 0, child, &one);
    assert(pthread_join(a, &result) == 0);
    assert(result == &one);
    return 0;
}
