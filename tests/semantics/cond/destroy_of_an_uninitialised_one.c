//! Destroying a local condition variable that was never initialised is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

int main(void) {
    pthread_cond_t changed;
    pthread_cond_destroy(&changed); // violation: valid-sync
    return 0;
}
