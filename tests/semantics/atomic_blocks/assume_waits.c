//! A block whose assume fails now can run later, when the assume holds: it is a guarded action.
//! expect: unreach-call false
//! gcc: skip a started block cannot be undone
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static atomic_int x, permitted;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(permitted);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    permitted = 1;
    assert(x == 0); // violation: unreach-call
    return 0;
}
