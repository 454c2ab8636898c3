//! A loop that only waits for an atomic flag orders what follows it after the flag's store.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *child(void *arg) {
    data = 1;
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    while (!ready)
        ;
    assert(data == 1);
    pthread_join(a, 0);
    return 0;
}
