//! One thread may look at a semaphore before another one initialises it.
//! expect: valid-sync false
//! expect: no-data-race false
//! gcc: skip races
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *child(void *arg) {
    sem_trywait(&s); // violation: valid-sync, no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    sem_init(&s, 0, 1); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
