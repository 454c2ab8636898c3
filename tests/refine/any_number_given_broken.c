//! Threads without end that change what their maker has allocated, while it believes that they do not.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *level;

void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    if (level)
        *level = 1 - *level;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    level = malloc(sizeof *level);
    if (level)
        *level = 1;
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, worker, 0);
        pthread_mutex_lock(&lock);
        if (level)
            assert(*level == 1);
        pthread_mutex_unlock(&lock);
    }
}
