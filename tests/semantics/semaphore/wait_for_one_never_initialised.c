//! Waiting for a semaphore that was never initialised is a misuse, although nothing ends the wait.
//! expect: valid-sync false
//! gcc: skip blocks by design
#include <semaphore.h>

sem_t items;

int main(void) {
    sem_wait(&items); // violation: valid-sync
    return 0;
}
