//! `atomic_init` before the threads begin, and a relaxed store beside them: no race.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int count;
    _Atomic(char *) name;
} shared;

static void *adds(void *argument) {
    shared.count++;
    return argument;
}

int main(void) {
    pthread_t thread;
    int old;
    atomic_init(&shared.count, 3);
    atomic_init(&shared.name, "x");
    pthread_create(&thread, 0, adds, 0);
    old = atomic_load(&shared.count);
    atomic_store_explicit(&shared.name, (char *)0, memory_order_relaxed);
    pthread_join(thread, 0);
    assert((old == 3 || old == 4) && shared.count == 4);
    return 0;
}
