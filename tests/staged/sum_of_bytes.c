//! Sums of narrow numbers wrap around, and so do those that are taken away from.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned char up = 250;
signed char down = -126;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    up += 3;
    down -= 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(up == 6);
    assert(down == 126);
    return 0;
}
