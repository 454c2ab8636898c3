//! A reader that asks for the write lock waits for itself.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l); // violation: no-deadlock
    return 0;
}
