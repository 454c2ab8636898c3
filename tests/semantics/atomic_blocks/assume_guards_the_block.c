//! An assume inside an atomic block guards the whole block: if it fails, nothing in the block has happened.
//! expect: unreach-call true
//! gcc: skip a started block cannot be undone
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static atomic_int x;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    assert(x == 0);
    return 0;
}
