//! A malformed deadline is refused even if the semaphore is free.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t s;
    struct timespec until = {0, 2000000000};
    sem_init(&s, 0, 1);
    assert(sem_timedwait(&s, &until) == -1 && errno == EINVAL);
    return 0;
}
