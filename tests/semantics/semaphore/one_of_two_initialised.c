//! The initialisation of one semaphore is none of its neighbour's.
//! expect: valid-sync false
#include <semaphore.h>

static sem_t pair[2];

int main(void) {
    sem_init(&pair[0], 0, 1);
    sem_wait(&pair[0]);
    sem_post(&pair[1]); // violation: valid-sync
    return 0;
}
