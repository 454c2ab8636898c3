//! A lock built from an assume in an atomic block excludes and synchronises.
//! expect: unreach-call true
//! expect: no-data-race true
//! gcc: skip a started block cannot be undone
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int held, x;

static void acquire(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(held == 0);
    held = 1;
    __VERIFIER_atomic_end();
}

static void release(void) {
    __VERIFIER_atomic_begin();
    held = 0;
    __VERIFIER_atomic_end();
}

static void *child(void *arg) {
    acquire();
    x++;
    release();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
