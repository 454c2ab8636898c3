//! A section that writes a cell on one way and reads it where the ways meet: what it reads may be its own write, although a later one
//! hides that from everybody else.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first = 1, second;

void *one(void *argument) {
    pthread_mutex_lock(&lock);
    first++;
    second--;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *other(void *argument) {
    pthread_mutex_lock(&lock);
    if (first == 2) {
        first += 2;
        second -= 2;
    }
    second = second + first - 3;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[0], 0);
    assert(first + second != 2);
    return 0;
}
