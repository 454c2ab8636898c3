//! A semaphore needs the memory of a whole sem_t.
//! expect: valid-memsafety false(valid-deref)
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
    sem_t *sem = malloc(sizeof(int));
    sem_init(sem, 0, 1); // violation: valid-memsafety
    free(sem);
    return 0;
}
