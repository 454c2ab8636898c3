//! A spin lock is a word, and whoever sets it to 0 frees it.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int count;

void *add(void *argument) {
    pthread_spin_lock(&lock);
    count = count + 1;
    pthread_spin_unlock(&lock);
    return argument;
}

void *spoil(void *argument) {
    __sync_lock_test_and_set(&lock, 0);
    return argument;
}

int main(void) {
    pthread_spin_init(&lock, 0);
    pthread_t first, second, third;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_create(&third, 0, spoil, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    assert(count == 2);
    return 0;
}
