//! The handlers of a cancelled thread run, the last one first; here one unlocks what the thread holds.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void unlocks(void *argument) {
    assert(steps == 0 || steps == 2);
    steps = 0;
    pthread_mutex_unlock(argument);
}

static void undoes(void *argument) {
    (void)argument;
    steps = 2;
}

static void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlocks, &lock);
    pthread_cleanup_push(undoes, 0);
    steps = 1;
    sleep(1);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_mutex_lock(&lock);
    assert(steps == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
