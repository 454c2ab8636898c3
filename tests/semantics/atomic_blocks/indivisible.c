//! An atomic block is indivisible: another block sees none of its intermediate states.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    y++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    assert(x == y);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
