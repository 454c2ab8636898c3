//! A lock that is taken with an order from outside, once too weak.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_flag taken = ATOMIC_FLAG_INIT;

static void lock(memory_order order) {
    while (atomic_flag_test_and_set_explicit(&taken, order)) {
    }
}

void *add(void *argument) {
    lock(argument ? memory_order_relaxed : memory_order_acquire);
    data++; // violation: no-data-race
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, &data);
    add(0);
    pthread_join(t, 0);
    return 0;
}
