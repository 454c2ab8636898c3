//! A thread may wait for a semaphore that is initialised only then: a misuse, and a race, although the wait ends behind the initialisation.
//! expect: no-data-race false
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>
#include <semaphore.h>

sem_t items;

void *wait(void *argument) {
    sem_wait(&items); // violation: no-data-race, valid-sync
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    sem_init(&items, 0, 1); // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
