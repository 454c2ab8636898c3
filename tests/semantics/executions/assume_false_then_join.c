//! A failed assume keeps its thread's later events from occurring: a join on that thread never returns.
//! expect: unreach-call true
//! expect: no-deadlock true
//! gcc: skip a thread stopped by an assume never ends
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static void *stuck(void *arg) {
    __VERIFIER_assume(0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, stuck, 0);
    pthread_join(a, 0);
    assert(0);
    return 0;
}
