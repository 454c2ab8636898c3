//! Opening a semaphore may fail.
//! expect: unreach-call false
//! gcc: skip depends on the machine
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *a = sem_open("/raddle-two", O_CREAT, 0600, 1);
    assert(a != SEM_FAILED); // violation: unreach-call
    return 0;
}
