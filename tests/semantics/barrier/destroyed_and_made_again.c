//! A destroyed barrier can be initialised again.
//! expect: valid-sync true
//! expect: no-deadlock true
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_barrier_init(&barrier, 0, 1);
        pthread_barrier_wait(&barrier);
        pthread_barrier_destroy(&barrier);
    }
    return 0;
}
