//! A thread that sleeps on a condition variable is woken by its cancellation, and has the mutex again when its handler runs.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, waiting;

static void leaves(void *argument) {
    waiting--;
    pthread_mutex_unlock(argument);
}

static void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(leaves, &lock);
    waiting++;
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && waiting == 0);
    return 0;
}
