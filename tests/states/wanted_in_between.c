//! The thread that waits could have had the semaphore between two steps of `main`, although it never has it where `main` is interrupted otherwise.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_;

static void *take(void *argument) {
    sem_wait(&free_);
    assert(0);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&free_, 0, 0);
    pthread_create(&thread, 0, take, 0);
    sem_init(&free_, 0, 1);
    sem_init(&free_, 0, 0);
    return 0;
}
