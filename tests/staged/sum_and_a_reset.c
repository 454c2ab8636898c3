//! One thread sets what the others add to: any number of additions can be left.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    count += 2;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *reset(void *argument) {
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, 0);
    pthread_create(&threads[3], 0, reset, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(count != 4);
    return 0;
}
