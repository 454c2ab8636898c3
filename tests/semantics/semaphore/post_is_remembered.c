//! Unlike a signal, a post before the wait is kept.
//! expect: no-deadlock true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *child(void *arg) {
    sem_wait(&s);
    assert(x == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, child, 0);
    x = 1;
    sem_post(&s);
    pthread_join(a, 0);
    sem_destroy(&s);
    return 0;
}
