//! pthread_tryjoin_np says that a thread is still busy instead of waiting for it.
//! expect: unreach-call true
//! expect: no-deadlock true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *child(void *arg) {
    sem_wait(&go);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&go, 0, 0);
    pthread_create(&a, 0, child, 0);
    assert(pthread_tryjoin_np(a, 0) == EBUSY);
    sem_post(&go);
    pthread_join(a, 0);
    return 0;
}
