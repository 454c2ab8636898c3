//! `x = x + 1` on an _Atomic object is a load and a store in two steps.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *child(void *arg) {
    x = x + 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
