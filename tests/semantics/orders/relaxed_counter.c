//! A relaxed counter orders nothing, and nothing depends on it.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *first(void *arg) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
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
