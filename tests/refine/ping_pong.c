//! Two semaphores let two threads take turns: their counts differ by at most one.
//! expect: unreach-call true
#include <semaphore.h>
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

sem_t ping, pong;
unsigned pings, pongs;

void *left(void *arg) {
    for (;;) {
        sem_wait(&ping);
        pings++;
        assert(pings == pongs + 1);
        sem_post(&pong);
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        sem_wait(&pong);
        pongs++;
        assert(pings == pongs);
        sem_post(&ping);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
