//! A malformed deadline is another error than a timeout.
//! expect: unreach-call false
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t s;
    struct timespec until = {0, 2000000000};
    sem_init(&s, 0, 0);
    int result = sem_timedwait(&s, &until);
    assert(result == -1 && errno == ETIMEDOUT); // violation: unreach-call
    return 0;
}
