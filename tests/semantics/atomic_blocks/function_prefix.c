//! A function whose name starts with __VERIFIER_atomic_ is an atomic block.
//! expect: unreach-call true
//! expect: no-data-race true
//! gcc: skip the name means nothing to a compiler
#include <assert.h>
#include <pthread.h>

static int x;

static int __VERIFIER_atomic_take(void) {
    int old = x;
    x = old + 1;
    return old;
}

static void *child(void *arg) {
    __VERIFIER_atomic_take();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_take();
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
