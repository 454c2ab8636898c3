//! An access in an atomic block is not an atomic access: against an atomic operation outside it races.
//! expect: no-data-race false
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1; // violation: no-data-race
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST); // violation: no-data-race
    assert(seen == 0 || seen == 1);
    pthread_join(a, 0);
    return 0;
}
