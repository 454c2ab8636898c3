//! Taking a semaphore and then a lock is one transaction, and so is giving them back.
//! expect: all true
//! steps: 40000
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define ROUNDS 3

static int buffer[2], in, out, total;
static sem_t empty, full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *argument) {
    for (int i = 1; i <= ROUNDS; i++) {
        sem_wait(&empty);
        pthread_mutex_lock(&lock);
        buffer[in] = i;
        in = (in + 1) % 2;
        pthread_mutex_unlock(&lock);
        sem_post(&full);
    }
    return argument;
}

static void *consume(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&full);
        pthread_mutex_lock(&lock);
        total += buffer[out];
        out = (out + 1) % 2;
        pthread_mutex_unlock(&lock);
        sem_post(&empty);
    }
    return argument;
}

int main(void) {
    pthread_t threads[4];
    sem_init(&empty, 0, 2);
    sem_init(&full, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i % 2 ? produce : consume, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(total == 12);
    return 0;
}
