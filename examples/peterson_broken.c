//! Peterson's algorithm with two lines exchanged.
//!
//! Each thread gives the turn away before it says that it wants in. The other one can then enter
//! without seeing the wish, and after that the turn lets the first one in as well: both are at `counter++`,
//! which is a data race and loses an update. peterson.c is the correct version.
//!
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg, other = 1 - me;
    turn = other; // the bug: this line and the next are exchanged
    wants[me] = 1;
    while (wants[other] && turn == other)
        ;
    counter++; // violation: no-data-race
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, (void *)0);
    pthread_create(&second, 0, worker, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2); // violation: unreach-call
    return 0;
}
