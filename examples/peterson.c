//! Peterson's mutual exclusion for two threads, on sequentially consistent atomics.
//!
//! It is correct: the two are never inside together, and the counter they protect does not race.
//! peterson_broken.c shows what one exchanged line does.
//!
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other)
        ;
    counter++;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, (void *)0);
    pthread_create(&second, 0, worker, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
