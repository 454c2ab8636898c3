//! Two openings of one name are one semaphore.
//! expect: unreach-call true
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *a = sem_open("/raddle-one", O_CREAT, 0600, 1), *b = sem_open("/raddle-one", 0);
    if (a == SEM_FAILED)
        return 0;
    sem_unlink("/raddle-one");
    assert(b == SEM_FAILED || b == a);
    return 0;
}
