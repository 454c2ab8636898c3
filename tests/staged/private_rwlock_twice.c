//! A thread that waits for a reader-writer lock it holds itself is stuck, also if nobody else knows the lock.
//! expect: no-deadlock false
#include <pthread.h>

pthread_rwlock_t lock;
void *child(void *argument) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    return 0;
}
