//! What an atomic block saw may have changed as soon as the block has ended.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    int before = x;
    assert(x == before);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(x == before); // violation: unreach-call
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
