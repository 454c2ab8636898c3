//! Blocked now is not blocked for good: a thread outside can still post, so there is no deadlock.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void *holder(void *arg) {
    pthread_mutex_lock(&m);
    sem_wait(&s);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, waiter, 0);
    sem_post(&s);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
