//! Destroying a semaphore that was never initialised is a misuse.
//! expect: valid-sync false
#include <semaphore.h>

static sem_t s;

int main(void) {
    sem_destroy(&s); // violation: valid-sync
    return 0;
}
