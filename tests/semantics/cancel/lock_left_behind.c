//! A thread is cancelled while it holds a mutex, and has no handler: whoever waits for the mutex waits for ever.
//! expect: no-deadlock false
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    sleep(1);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_mutex_lock(&lock); // violation: no-deadlock
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
