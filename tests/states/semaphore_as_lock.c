//! A semaphore that is 1 at first, waited for and then posted by the same thread, is a lock.
//! expect: all true
//! steps: 4000
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int count, doubled;

static void *increment(void *argument) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&lock);
        count++;
        doubled += 2;
        sem_post(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&lock, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, increment, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count == 6 && doubled == 12);
    return 0;
}
