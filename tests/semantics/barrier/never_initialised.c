//! Waiting at a barrier that was never initialised is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_wait(&barrier); // violation: valid-sync
    return 0;
}
