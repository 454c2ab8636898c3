//! Two threads that each wait for the other's post are a deadlock, although no lock is held.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;

static void *child(void *arg) {
    sem_wait(&s); // violation: no-deadlock
    sem_post(&t);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 0);
    sem_init(&t, 0, 0);
    pthread_create(&a, 0, child, 0);
    sem_wait(&t); // violation: no-deadlock
    sem_post(&s);
    pthread_join(a, 0);
    return 0;
}
