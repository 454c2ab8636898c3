//! A compare-and-swap that fails reads with the second order.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *first(void *arg) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_seq_cst, memory_order_acquire))
        return data ? arg : 0;
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
