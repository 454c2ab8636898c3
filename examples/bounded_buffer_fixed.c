//! The bounded buffer of bounded_buffer.c, corrected: every item put wakes a consumer.
//!
//! expect: no-deadlock true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

#define CAPACITY 2

static int buffer[CAPACITY];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (count == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    buffer[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = buffer[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *consumer(void *arg) {
    int item = take();
    assert(item == 1 || item == 2);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, consumer, 0);
    pthread_create(&second, 0, consumer, 0);
    put(1);
    put(2);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count == 0);
    return 0;
}
