//! An atomic load and an atomic store are two steps: no race, but a lost update.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    atomic_store(&x, atomic_load(&x) + 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
