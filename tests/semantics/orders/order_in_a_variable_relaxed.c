//! An order that is not a constant is the one that it is when the operation happens: here relaxed, so the data races.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

static int look(memory_order order) { return atomic_load_explicit(&ready, order); }

void *publish(void *argument) {
    data = 1; // violation: no-data-race
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, publish, 0);
    if (look(memory_order_relaxed))
        seen = data; // violation: no-data-race
    pthread_join(t, 0);
    return seen > 1;
}
