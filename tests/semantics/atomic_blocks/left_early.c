//! A block can be left on different ways; each ends it.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    if (x == 0) {
        x = 1;
        __VERIFIER_atomic_end();
    } else {
        __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    y = x;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    assert(x == y); // violation: unreach-call
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
