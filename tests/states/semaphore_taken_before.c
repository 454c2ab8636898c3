//! A semaphore that is 1 when others come may have been taken before: it lets two in.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t lock;
static int x;
static atomic_int flag;

static void *add(void *argument) {
    sem_wait(&lock);
    sem_post(&lock);
    flag = 1;
    sem_wait(&lock);
    x = x + 1;
    sem_post(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&lock, 0, 2);
    sem_wait(&lock);
    pthread_create(&thread, 0, add, 0);
    if (flag) {
        x = x + 1;
        pthread_join(thread, 0);
        sem_post(&lock);
        assert(x == 2);
    }
    return 0;
}
