//! What a thread wrote before its failed assume has happened: others see it.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
static atomic_int x;

static void *writer(void *arg) {
    x = 1;
    __VERIFIER_assume(0);
    x = 0;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    assert(x == 0); // violation: unreach-call
    return 0;
}
