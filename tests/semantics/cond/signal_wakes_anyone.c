//! A signal wakes an arbitrary sleeper, not the one that has slept longest: the wrong one swallows it.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int first_asleep, turn;

static void *first(void *arg) {
    pthread_mutex_lock(&m);
    first_asleep = 1;
    while (turn != 1)
        pthread_cond_wait(&c, &m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&m);
    if (first_asleep)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_mutex_lock(&m);
    turn = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0); // violation: no-deadlock
    return 0;
}
