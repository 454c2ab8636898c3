//! A thread that has done everything may still be found busy: that it said so is not that it has ended.
//! expect: unreach-call false
//! gcc: skip the interleaving is rare
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *child(void *arg) {
    sem_post(&done);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, child, 0);
    sem_wait(&done);
    int code = pthread_tryjoin_np(a, 0);
    if (code != 0)
        pthread_join(a, 0);
    assert(code == 0); // violation: unreach-call
    return 0;
}
