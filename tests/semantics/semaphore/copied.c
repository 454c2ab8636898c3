//! A structure with an initialised semaphore that is copied before anyone uses it has an initialised semaphore.
//! expect: valid-sync true
//! expect: unreach-call true
#include <assert.h>
#include <semaphore.h>

struct gate {
    sem_t open;
    int number;
};

int main(void) {
    struct gate made = {.number = 7};
    sem_init(&made.open, 0, 1);
    struct gate copy = made;
    assert(sem_trywait(&copy.open) == 0);
    assert(sem_trywait(&copy.open) == -1);
    return 0;
}
