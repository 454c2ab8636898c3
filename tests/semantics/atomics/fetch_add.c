//! A read-modify-write is one step, and atomic accesses do not race.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    int before = atomic_fetch_add(&x, 1);
    assert(before == 0 || before == 1);
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
