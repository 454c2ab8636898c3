//! The data of a sequence lock are plain: the reader races with the writer, although it looks at the version again.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static int one;

static void *first(void *arg) {
    atomic_fetch_add_explicit(&version, 1, memory_order_acq_rel);
    one = 1; // violation: no-data-race
    atomic_fetch_add_explicit(&version, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    unsigned before = atomic_load_explicit(&version, memory_order_acquire);
    int a = one; // violation: no-data-race
    atomic_thread_fence(memory_order_acquire);
    if (before == atomic_load_explicit(&version, memory_order_relaxed) && a)
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
