//! A release at one location and an acquire at another have nothing to do with each other.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int x, y;

static void *first(void *arg) {
    data = 1; // violation: no-data-race
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    if (atomic_load_explicit(&y, memory_order_acquire))
        return data ? arg : 0; // violation: no-data-race
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
