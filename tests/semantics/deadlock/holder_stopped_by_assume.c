//! A thread stopped by an assume is not blocked: who waits for its mutex is not in a deadlock.
//! expect: no-deadlock true
//! gcc: skip a failed assume never ends
#include <pthread.h>

extern void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    __VERIFIER_assume(0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
