//! Nothing behind pthread_exit in a thread happens, and its mutex stays locked.
//! expect: unreach-call true
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_exit(0);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&m); // violation: no-deadlock
    assert(0);
    return 0;
}
