//! A thread that waits for a mutex looks at it: initialising it again meanwhile races with that, although the thread gets it only later.
//! expect: no-data-race false
//! gcc: skip undefined
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *wait(void *argument) {
    pthread_mutex_lock(&lock); // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_init(&lock, 0); // violation: no-data-race
    return 0;
}
