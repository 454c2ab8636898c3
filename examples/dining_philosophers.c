//! Dining philosophers: everyone takes the left fork first.
//!
//! If all three hold their left fork, each waits for the right one on the second `pthread_mutex_lock`
//! and nobody ever eats: a deadlock. dining_philosophers_fixed.c is the correct version.
//!
//! expect: no-deadlock false
//! expect: no-data-race true
//! gcc: skip may block by design
#include <pthread.h>
#include <stdint.h>

#define PHILOSOPHERS 3

static pthread_mutex_t fork_[PHILOSOPHERS];

static void *philosopher(void *arg) {
    int seat = (int)(intptr_t)arg;
    pthread_mutex_t *left = &fork_[seat];
    pthread_mutex_t *right = &fork_[(seat + 1) % PHILOSOPHERS];
    pthread_mutex_lock(left);
    pthread_mutex_lock(right); // violation: no-deadlock
    /* eat */
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
    return 0;
}

int main(void) {
    pthread_t thread[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&fork_[i], 0);
    for (intptr_t i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&thread[i], 0, philosopher, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(thread[i], 0);
    return 0;
}
