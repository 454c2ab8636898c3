//! A blocked operation stops only its own thread: the bug of another thread stays reachable.
//! expect: unreach-call false
//! expect: no-deadlock false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *stuck(void *arg) {
    pthread_mutex_lock(&m); // violation: no-deadlock
    return arg;
}

static void *buggy(void *arg) {
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, stuck, 0);
    pthread_create(&b, 0, buggy, 0);
    pthread_join(a, 0); // violation: no-deadlock
    pthread_join(b, 0);
    return 0;
}
