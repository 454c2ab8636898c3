//! A ticket lock: draw a number, wait until it is called.
//!
//! It is correct: who holds the called number is alone inside.
//!
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static void *worker(void *arg) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine)
        ;
    counter++;
    atomic_fetch_add(&now_serving, 1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
