//! Atomic blocks synchronise like one global lock: what precedes one block does not race with what follows a later one.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int data, ready;

static void *child(void *arg) {
    data = 1;
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    int seen = ready;
    __VERIFIER_atomic_end();
    if (seen)
        assert(data == 1);
    pthread_join(a, 0);
    return 0;
}
