//! Destroying a local reader-writer lock that was never initialised is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_destroy(&lock); // violation: valid-sync
    return 0;
}
