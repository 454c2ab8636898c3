//! A semaphore at its largest value cannot be posted: EOVERFLOW, and it stays as it is.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t sem;
    int value = 0;
    sem_init(&sem, 0, SEM_VALUE_MAX);
    errno = 0;
    int posted = sem_post(&sem);
    assert(posted == -1 && errno == EOVERFLOW);
    sem_getvalue(&sem, &value);
    assert(value == SEM_VALUE_MAX);
    return 0;
}
