//! A lock that somebody tries can be seen to be held: giving it back is then no longer part of the same transaction.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    int busy = pthread_mutex_trylock(&lock);
    assert(!busy);
    if (!busy)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
