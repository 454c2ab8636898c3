//! A named semaphore is closed and unlinked, not destroyed.
//! expect: valid-sync false
//! gcc: skip undefined
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *one = sem_open("/named", O_CREAT, 0600, 1);
    if (one == SEM_FAILED)
        return 0;
    sem_destroy(one); // violation: valid-sync
    return 0;
}
