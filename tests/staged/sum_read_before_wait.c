//! Waiting for a condition gives the lock back: what was read before is no longer there.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int count, ready;

void *late(void *argument) {
    pthread_mutex_lock(&lock);
    int seen = count;
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    count = seen + 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *early(void *argument) {
    pthread_mutex_lock(&lock);
    count = count + 1;
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, late, 0);
    pthread_create(&threads[1], 0, early, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(count == 2);
    return 0;
}
