//! Two atomic accesses do not race, whatever memory order they name.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen == 0 || seen == 1);
    pthread_join(a, 0);
    return 0;
}
