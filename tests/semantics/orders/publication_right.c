//! A pointer published with release and read with acquire leads to what was written before.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static int cell;
static _Atomic(int *) shared;

static void *first(void *arg) {
    cell = 7;
    atomic_store_explicit(&shared, &cell, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        return *p ? arg : 0;
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
