//! Unlocking a mutex that another thread waits for is no race, nor is destroying it behind the join.
//! expect: no-data-race true
//! expect: valid-sync true
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *wait(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    pthread_mutex_destroy(&lock);
    return 0;
}
