//! A semaphore that lets two in protects nothing.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int count;

static void *increment(void *argument) {
    sem_wait(&lock);
    count++;
    sem_post(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    sem_init(&lock, 0, 2);
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
