//! A semaphore that starts at two lets two in.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *child(void *arg) {
    sem_wait(&s);
    x++; // violation: no-data-race
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&s, 0, 2);
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
