//! Semaphores in structures and arrays, initialised by a function in a loop, are initialised for every thread.
//! expect: valid-sync true
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct stage {
    int value;
    sem_t filled;
};

static struct stage stages[2];

static void prepare(void) {
    for (int i = 0; i < 2; i++)
        sem_init(&stages[i].filled, 0, 0);
}

static void *child(void *arg) {
    sem_wait(&stages[0].filled);
    stages[1].value = stages[0].value + 1;
    sem_post(&stages[1].filled);
    return arg;
}

int main(void) {
    pthread_t a;
    prepare();
    pthread_create(&a, 0, child, 0);
    stages[0].value = 1;
    sem_post(&stages[0].filled);
    sem_wait(&stages[1].filled);
    assert(stages[1].value == 2);
    pthread_join(a, 0);
    return 0;
}
