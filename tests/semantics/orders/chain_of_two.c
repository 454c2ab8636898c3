//! A message is passed on by a thread that acquires and releases.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int x, y;

static void *first(void *arg) {
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    if (atomic_load_explicit(&x, memory_order_acquire))
        atomic_store_explicit(&y, 1, memory_order_release);
    return arg;
}

static void *third(void *arg) {
    if (atomic_load_explicit(&y, memory_order_acquire))
        return data ? arg : 0;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
