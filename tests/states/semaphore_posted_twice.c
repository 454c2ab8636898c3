//! The same, but one thread posts it once more than it has waited: then two can have it.
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

static void *open(void *argument) {
    sem_post(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&lock, 0, 1);
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_create(&c, 0, open, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
