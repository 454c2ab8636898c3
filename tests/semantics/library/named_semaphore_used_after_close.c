//! A named semaphore cannot be used after the last close.
//! expect: valid-sync false
//! gcc: skip leaves a semaphore behind
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *one = sem_open("/raddle-closed", O_CREAT, 0600, 1);
    if (one == SEM_FAILED)
        return 0;
    sem_close(one);
    sem_wait(one); // violation: valid-sync
    return 0;
}
