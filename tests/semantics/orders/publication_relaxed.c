//! A pointer published by relaxed accesses leads to memory that is still being written.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static int cell;
static _Atomic(int *) shared;

static void *first(void *arg) {
    cell = 7; // violation: no-data-race
    atomic_store_explicit(&shared, &cell, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    int *p = atomic_load_explicit(&shared, memory_order_relaxed);
    if (p)
        return *p ? arg : 0; // violation: no-data-race
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
