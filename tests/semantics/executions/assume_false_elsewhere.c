//! A failed assume stops only its own thread: the bug of another thread stays reachable.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static void *stuck(void *arg) {
    __VERIFIER_assume(0);
    return arg;
}

static void *buggy(void *arg) {
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, stuck, 0);
    pthread_create(&b, 0, buggy, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
