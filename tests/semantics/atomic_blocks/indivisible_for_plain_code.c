//! An atomic block is indivisible also for code outside blocks: a plain reader races, but sees no intermediate state.
//! expect: unreach-call true
//! expect: no-data-race false
//! gcc: skip a lock cannot keep plain code out
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1; // violation: no-data-race
    x = 2; // violation: no-data-race
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int seen = x; // violation: no-data-race
    assert(seen != 1);
    pthread_join(a, 0);
    return 0;
}
