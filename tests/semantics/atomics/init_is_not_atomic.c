//! atomic_init is no atomic access: against an atomic operation it races.
//! expect: no-data-race false
//! gcc: skip races
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    atomic_fetch_add(&x, 1); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    atomic_init(&x, 1); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
