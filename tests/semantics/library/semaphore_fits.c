//! A sem_t is enough memory for a semaphore.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
    sem_t *sem = malloc(sizeof(sem_t));
    sem_init(sem, 0, 1);
    int taken = sem_trywait(sem);
    assert(taken == 0);
    free(sem);
    return 0;
}
