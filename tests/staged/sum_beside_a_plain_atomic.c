//! An atomic addition does not wait for a lock: it can come between the read and the write of one who holds it.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int count;

void *slowly(void *argument) {
    pthread_mutex_lock(&lock);
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    pthread_mutex_unlock(&lock);
    return argument;
}

void *quickly(void *argument) {
    atomic_fetch_add(&count, 1);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, slowly, 0);
    pthread_create(&threads[1], 0, slowly, 0);
    pthread_create(&threads[2], 0, quickly, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count == 3);
    return 0;
}
