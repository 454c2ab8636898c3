//! WRC: what a thread saw before its own store is seen by whoever sees that store.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *arg) {
    x = 1;
    return arg;
}

static void *second(void *arg) {
    if (x == 1)
        y = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    if (y == 1)
        assert(x == 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
