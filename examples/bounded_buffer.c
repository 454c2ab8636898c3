//! A bounded buffer that loses a wake-up.
//!
//! `put` wakes a consumer only when the buffer was empty before: "if there was something in it
//! already, whoever waits has been woken". That is wrong. Two consumers sleep; two items are put before
//! the first of them has taken the mutex again; the second consumer is never woken and sleeps for ever,
//! although there is an item for it. The bug is the `if` in `put`; it shows as a deadlock, in few schedules only.
//! bounded_buffer_fixed.c is the correct version.
//!
//! expect: no-deadlock false
//! expect: no-data-race true
//! expect: unreach-call true
//! gcc: skip may block by design
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
    if (count == 1) // the bug: a second item must wake a second consumer
        pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock); // violation: no-deadlock
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
    pthread_join(first, 0); // violation: no-deadlock
    pthread_join(second, 0); // violation: no-deadlock
    return 0;
}
