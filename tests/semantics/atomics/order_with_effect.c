//! The order of an atomic operation is an argument like any other: what it does is done, and is no part of the operation.
//! expect: unreach-call true
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

int x;
int order = 4;

void *writer(void *arg) {
    __atomic_store_n(&x, 1, ++order); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = __atomic_load_n(&order, __ATOMIC_SEQ_CST); // violation: no-data-race
    assert(seen == 4 || seen == 5);
    pthread_join(t, 0);
    assert(order == 5 && x == 1);
    return 0;
}
