//! A semaphore in zeroed memory is not initialised: it counts from zero as glibc's does, and its first use is a misuse.
//! expect: unreach-call true
//! expect: valid-sync false
#include <assert.h>
#include <semaphore.h>

static sem_t s;

int main(void) {
    int value;
    sem_post(&s); // violation: valid-sync
    assert(sem_getvalue(&s, &value) == 0 && value == 1);
    return 0;
}
