//! A named semaphore that is closed and unlinked leaves nothing behind.
//! expect: valid-memsafety true
//! gcc: skip makes a semaphore
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *one = sem_open("/raddle-unlinked", O_CREAT, 0600, 1);
    if (one == SEM_FAILED)
        return 0;
    sem_unlink("/raddle-unlinked");
    sem_wait(one);
    sem_close(one);
    return 0;
}
