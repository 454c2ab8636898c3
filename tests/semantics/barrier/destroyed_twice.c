//! Destroying a barrier a second time is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_init(&barrier, 0, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_destroy(&barrier); // violation: valid-sync
    return 0;
}
