//! A deadline is plain memory that is read.
//! expect: no-data-race false
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static struct timespec until;

static void *child(void *arg) {
    until.tv_nsec = 5; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, child, 0);
    sem_timedwait(&s, &until); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
