//! For races a block is one step with its guard: it cannot come next before its assume holds.
//! expect: no-data-race true
//! expect: unreach-call true
//! gcc: skip a started block cannot be undone
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int x, ready;

static void *child(void *arg) {
    x = 1;
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_atomic_begin();
    x = 2;
    __VERIFIER_assume(ready);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
