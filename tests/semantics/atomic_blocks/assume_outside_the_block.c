//! An assume before the block is a step of its own: the value may have changed when the block runs.
//! expect: unreach-call false
//! gcc: skip a failed assume never ends
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int held, x;

static void *child(void *arg) {
    __VERIFIER_assume(held == 0);
    __VERIFIER_atomic_begin();
    held = 1;
    __VERIFIER_atomic_end();
    x++;
    __VERIFIER_atomic_begin();
    held = 0;
    __VERIFIER_atomic_end();
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
