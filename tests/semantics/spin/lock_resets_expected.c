//! With `expected` reset after each failure the spin lock excludes.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void *child(void *arg) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1))
        expected = 0;
    x++;
    lock = 0;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
