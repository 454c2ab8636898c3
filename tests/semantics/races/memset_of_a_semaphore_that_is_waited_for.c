//! The memory of a semaphore is overwritten while a thread waits for it, which never gets it.
//! expect: no-data-race false
//! gcc: skip undefined
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

sem_t items;

void *wait(void *argument) {
    sem_wait(&items); // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, 0, wait, 0);
    memset(&items, 0, sizeof items); // violation: no-data-race
    return 0;
}
