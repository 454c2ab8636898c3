//! Nothing that stands behind a failed assume happens.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
static atomic_int x;

static void *writer(void *arg) {
    __VERIFIER_assume(0);
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    assert(x == 0);
    return 0;
}
