//! Everybody holds a lock, but not the same one.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int count;

void *add(void *argument) {
    pthread_mutex_t *lock = &locks[(long)argument];
    pthread_mutex_lock(lock);
    count++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, (void *)(i / 2));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count == 3);
    return 0;
}
