//! A lock that is given back with relaxed order protects nothing.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_flag taken = ATOMIC_FLAG_INIT;

static void *first(void *arg) {
    if (!atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
        data++; // violation: no-data-race
        atomic_flag_clear_explicit(&taken, memory_order_relaxed);
    }
    return arg;
}

static void *second(void *arg) {
    if (!atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
        data++; // violation: no-data-race
        atomic_flag_clear_explicit(&taken, memory_order_relaxed);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
