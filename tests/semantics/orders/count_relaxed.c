//! Counting down with relaxed order lets the last user run ahead of the others.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_int users = 2;

static void *first(void *arg) {
    int seen = payload; // violation: no-data-race
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed) == 1) {
        payload = seen + 1; // violation: no-data-race
    }
    return arg;
}

static void *second(void *arg) {
    int seen = payload; // violation: no-data-race
    if (atomic_fetch_sub_explicit(&users, 1, memory_order_relaxed) == 1) {
        payload = seen + 1; // violation: no-data-race
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
