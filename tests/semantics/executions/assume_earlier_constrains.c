//! An assume before the publication does restrict the published value.
//! expect: unreach-call true
//! expect: no-data-race true
//! gcc: skip a failed assume never ends
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static atomic_int published;

static void *reader(void *arg) {
    assert(published < 10);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n < 10);
    published = n;
    pthread_join(a, 0);
    return 0;
}
