//! atomic_init before the threads begin is as good as an initialiser; a relaxed store is atomic.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void) {
    pthread_t a;
    atomic_init(&x, 1);
    pthread_create(&a, 0, child, 0);
    int seen = x;
    assert(seen == 1 || seen == 2);
    atomic_store_explicit(&x, 5, memory_order_relaxed);
    pthread_join(a, 0);
    return 0;
}
