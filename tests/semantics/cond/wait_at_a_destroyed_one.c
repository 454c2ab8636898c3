//! Waiting at a condition variable that another thread destroyed before is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *end(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cond_destroy(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, end, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock); // violation: valid-sync
    pthread_mutex_unlock(&lock);
    return 0;
}
