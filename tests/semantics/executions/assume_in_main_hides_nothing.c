//! A failed assume in main does not end the process and does not hide the other threads' bugs.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static void *buggy(void *arg) {
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, buggy, 0);
    __VERIFIER_assume(0);
    return 0;
}
