//! The branch that the first execution does not take lets somebody through a semaphore.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int flag;
sem_t s;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    if (!flag)
        sem_post(&s);
    return arg;
}
int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    sem_wait(&s);
    assert(0);
    return 0;
}
