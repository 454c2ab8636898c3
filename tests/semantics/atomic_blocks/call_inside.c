//! A function called inside a block belongs to the block.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void increment(void) { x++; }

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    increment();
    increment();
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    assert(x % 2 == 0);
    increment();
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    assert(x == 3);
    return 0;
}
