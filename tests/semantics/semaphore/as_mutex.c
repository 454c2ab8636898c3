//! A semaphore that starts at one is a lock, and any thread may post it.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *child(void *arg) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
