//! `x++` and `x += 1` on an _Atomic object are read-modify-write in one step.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *child(void *arg) {
    x++;
    x += 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 6);
    return 0;
}
