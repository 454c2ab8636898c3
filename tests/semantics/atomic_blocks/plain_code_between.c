//! Between two blocks other threads run: two blocks are not one.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    int read = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = read + 1;
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
