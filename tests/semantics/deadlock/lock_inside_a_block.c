//! A thread that would have to wait for a lock inside an atomic block is blocked before the block.
//! expect: no-deadlock false
//! expect: no-data-race true
//! gcc: skip blocks by design
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return 0;
}
