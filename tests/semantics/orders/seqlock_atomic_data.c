//! The data of a sequence lock are atomic, so reading them while they change is no race.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int one, two;

static void *first(void *arg) {
    atomic_fetch_add_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&one, 1, memory_order_relaxed);
    atomic_store_explicit(&two, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&version, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    unsigned before = atomic_load_explicit(&version, memory_order_acquire);
    int a = atomic_load_explicit(&one, memory_order_relaxed), b = atomic_load_explicit(&two, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (before == atomic_load_explicit(&version, memory_order_relaxed) && a != b)
        return 0;
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
