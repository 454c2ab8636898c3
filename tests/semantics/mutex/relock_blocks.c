//! A normal mutex is not recursive: locking it again blocks its own holder for ever.
//! expect: no-deadlock false
//! expect: unreach-call true
//! gcc: skip blocks by design
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // violation: no-deadlock
    assert(0);
    return 0;
}
