//! A recursive mutex that is taken twice on one way and once on the other is held once where they meet: who gives it back there may hold it no more.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock;
int value, seen, twice;

void *writer(void *argument) {
    pthread_mutex_lock(&lock);
    if (!twice) {
    } else {
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    value = 1;
    value = 2;
    if (twice)
        pthread_mutex_unlock(&lock);
    return argument;
}

void *reader(void *argument) {
    pthread_mutex_lock(&lock);
    if (value == 1)
        seen = 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    twice = __VERIFIER_nondet_bool();
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(!seen);
    return 0;
}
