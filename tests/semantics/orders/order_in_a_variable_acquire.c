//! The same with an order that is enough.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

static int look(memory_order order) { return atomic_load_explicit(&ready, order); }

void *publish(void *argument) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, publish, 0);
    if (look(memory_order_acquire))
        seen = data;
    pthread_join(t, 0);
    return seen > 1;
}
