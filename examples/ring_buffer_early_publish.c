//! A ring buffer that publishes a slot before it has written it.
//!
//! In `try_put` the new `tail` is stored before the item. The consumer can read the slot in between:
//! it gets an old value, and the two accesses to the slot race. ring_buffer_atomics.c is the correct version.
//!
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static int slot[SLOTS];
static atomic_uint head, tail;

static int try_put(int item) {
    unsigned at = atomic_load(&tail);
    if (at - atomic_load(&head) == SLOTS)
        return 0;
    atomic_store(&tail, at + 1); // the bug: this line and the next are exchanged
    slot[at % SLOTS] = item; // violation: no-data-race
    return 1;
}

static int try_get(int *item) {
    unsigned at = atomic_load(&head);
    if (at == atomic_load(&tail))
        return 0;
    *item = slot[at % SLOTS]; // violation: no-data-race
    atomic_store(&head, at + 1);
    return 1;
}

static void *producer(void *arg) {
    try_put(41);
    try_put(42);
    return arg;
}

int main(void) {
    pthread_t thread;
    int item;
    pthread_create(&thread, 0, producer, 0);
    if (try_get(&item))
        assert(item == 41); // violation: unreach-call
    pthread_join(thread, 0);
    return 0;
}
