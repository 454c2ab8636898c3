//! Of two compare-and-swaps from the same value exactly one succeeds.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, winners;

static void *child(void *arg) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&x, &expected, 1))
        winners++;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(winners == 1);
    return 0;
}
