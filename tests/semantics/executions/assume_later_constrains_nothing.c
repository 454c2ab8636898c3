//! An assume is not asserted globally: a value published before it is not restricted by it.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static atomic_int published;

static void *reader(void *arg) {
    assert(published < 10); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    int n = __VERIFIER_nondet_int();
    published = n;
    __VERIFIER_assume(n < 10);
    pthread_join(a, 0);
    return 0;
}
