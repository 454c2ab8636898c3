//! pthread_timedjoin_np gives up on a thread that does not end in time.
//! expect: unreach-call true
//! expect: no-deadlock true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void *child(void *arg) {
    sem_wait(&go);
    return arg;
}

int main(void) {
    pthread_t a;
    struct timespec past = {1, 0};
    sem_init(&go, 0, 0);
    pthread_create(&a, 0, child, 0);
    assert(pthread_timedjoin_np(a, 0, &past) == ETIMEDOUT);
    sem_post(&go);
    pthread_join(a, 0);
    return 0;
}
