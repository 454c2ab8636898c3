//! A timed wait on a semaphore at zero may expire; one that is positive is taken.
//! expect: unreach-call false
//! expect: no-deadlock true
#include <assert.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t s;
    struct timespec past = {0, 0};
    sem_init(&s, 0, 1);
    assert(sem_timedwait(&s, &past) == 0);
    int answer = sem_timedwait(&s, &past);
    assert(answer == 0); // violation: unreach-call
    return 0;
}
