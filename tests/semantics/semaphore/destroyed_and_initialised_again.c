//! A destroyed semaphore can be initialised again.
//! expect: valid-sync true
//! expect: unreach-call true
#include <assert.h>
#include <semaphore.h>

static sem_t s;

int main(void) {
    sem_init(&s, 0, 0);
    assert(sem_destroy(&s) == 0);
    sem_init(&s, 0, 1);
    assert(sem_wait(&s) == 0);
    return 0;
}
