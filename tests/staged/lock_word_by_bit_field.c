//! A store to a bit-field in the word of a mutex frees it.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

struct bits {
    unsigned low : 31;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    count = count + 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *spoil(void *argument) {
    ((struct bits *)&lock)->low = 0;
    return argument;
}

int main(void) {
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
