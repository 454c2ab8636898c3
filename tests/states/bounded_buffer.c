//! Two producers and two consumers with condition variables: many interleavings, few states.
//! expect: all true
//! steps: 120000
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 2

static int buffer[SIZE];
static int in, out, count, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *argument) {
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&not_full, &lock);
        buffer[in] = i;
        in = (in + 1) % SIZE;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *consume(void *argument) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&not_empty, &lock);
        sum += buffer[out];
        out = (out + 1) % SIZE;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t producers[2], consumers[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&producers[i], 0, produce, 0);
        pthread_create(&consumers[i], 0, consume, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(producers[i], 0);
        pthread_join(consumers[i], 0);
    }
    assert(count == 0 && sum == 6);
    return 0;
}
