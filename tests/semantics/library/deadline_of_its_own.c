//! A deadline of its own is read by no other thread.
//! expect: no-data-race true
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static struct timespec until;

static void *child(void *arg) {
    until.tv_nsec = 5;
    return arg;
}

int main(void) {
    pthread_t a;
    struct timespec mine = {0, 0};
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, child, 0);
    sem_timedwait(&s, &mine);
    pthread_join(a, 0);
    return 0;
}
