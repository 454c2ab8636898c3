//! Release on every drop and a fence in the last one are enough.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int users = 2;

static void *first(void *arg) {
    int seen = payload;
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        payload = seen + 1;
    }
    return arg;
}

static void *second(void *arg) {
    int seen = payload;
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        payload = seen + 1;
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
