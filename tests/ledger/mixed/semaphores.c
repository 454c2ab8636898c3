//! A buffer of one place with two semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static int place;

static void *producer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        place = i;
        sem_post(&full);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&thread, 0, producer, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        sum += place;
        sem_post(&empty);
    }
    pthread_join(thread, 0);
    assert(sum == 3);
    return 0;
}
