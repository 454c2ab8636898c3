//! Destroying a local mutex that was never initialised is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_destroy(&lock); // violation: valid-sync
    return 0;
}
