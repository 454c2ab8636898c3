//! Dining philosophers who always take the fork with the lower number first: no cycle is possible.
//!
//! expect: no-deadlock true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define PHILOSOPHERS 3

static pthread_mutex_t fork_[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *philosopher(void *arg) {
    int seat = (int)(intptr_t)arg, next = (seat + 1) % PHILOSOPHERS;
    int low = seat < next ? seat : next, high = seat < next ? next : seat;
    pthread_mutex_lock(&fork_[low]);
    pthread_mutex_lock(&fork_[high]);
    meals[seat]++;
    pthread_mutex_unlock(&fork_[high]);
    pthread_mutex_unlock(&fork_[low]);
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
    for (int i = 0; i < PHILOSOPHERS; i++)
        assert(meals[i] == 1);
    return 0;
}
