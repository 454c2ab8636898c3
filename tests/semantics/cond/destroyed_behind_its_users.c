//! A condition variable that is destroyed when its users are over.
//! expect: valid-sync true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *tell(void *argument) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, tell, 0);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    pthread_cond_destroy(&changed);
    pthread_mutex_destroy(&lock);
    return 0;
}
