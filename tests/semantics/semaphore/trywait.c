//! sem_trywait fails with EAGAIN at zero, and the value counts posts minus waits.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    int value;
    sem_init(&s, 0, 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    sem_post(&s);
    sem_post(&s);
    sem_getvalue(&s, &value);
    assert(value == 2);
    return 0;
}
