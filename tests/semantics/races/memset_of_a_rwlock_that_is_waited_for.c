//! The memory of a reader-writer lock is overwritten while a thread may wait for it.
//! expect: no-data-race false
//! gcc: skip undefined
#include <pthread.h>
#include <string.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *wait(void *argument) {
    pthread_rwlock_rdlock(&lock); // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&t, 0, wait, 0);
    memset(&lock, 0, sizeof lock); // violation: no-data-race
    return 0;
}
