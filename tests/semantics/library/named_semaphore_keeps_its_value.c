//! A named semaphore keeps its value while it is closed.
//! expect: unreach-call true
//! gcc: skip makes a semaphore
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    int value = 0;
    sem_t *one = sem_open("/raddle-kept", O_CREAT | O_EXCL, 0600, 3);
    if (one == SEM_FAILED)
        return 0;
    sem_wait(one);
    sem_close(one);
    one = sem_open("/raddle-kept", 0);
    if (one == SEM_FAILED)
        return 0;
    sem_getvalue(one, &value);
    assert(value == 2);
    sem_close(one);
    sem_unlink("/raddle-kept");
    return 0;
}
