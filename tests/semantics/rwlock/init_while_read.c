//! A reader-writer lock is initialised again while a reader holds it.
//! expect: valid-sync false
//! gcc: skip initialised without complaint
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_init(&lock, 0); // violation: valid-sync
    return 0;
}
