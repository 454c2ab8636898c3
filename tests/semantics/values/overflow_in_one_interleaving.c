//! An overflow counts if any interleaving meets it.
//! expect: no-overflow false
//! expect: no-data-race true
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int limit = 1;

static void *child(void *arg) {
    limit = INT_MAX;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int next = limit + 1; // violation: no-overflow
    pthread_join(a, 0);
    return next == 0;
}
