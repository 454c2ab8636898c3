//! A ring buffer between one producer and one consumer, on C11 atomics, without locks.
//!
//! It is correct: the slot is written before `tail` moves and read before `head` moves, so the plain
//! slots do not race and every item arrives once and in order.
//!
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#define ITEMS 3

static int slot[SLOTS];
static atomic_uint head, tail;

static int try_put(int item) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
        return 0;
    slot[at % SLOTS] = item;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return 1;
}

static int try_get(int *item) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *item = slot[at % SLOTS];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return 1;
}

static void *producer(void *arg) {
    for (int i = 0; i < ITEMS; i++)
        if (!try_put(i))
            break; // full: drop the rest, so that the example stays finite
    return arg;
}

int main(void) {
    pthread_t thread;
    int item, next = 0;
    pthread_create(&thread, 0, producer, 0);
    for (int tries = 0; tries < ITEMS; tries++)
        if (try_get(&item))
            assert(item == next++);
    pthread_join(thread, 0);
    while (try_get(&item))
        assert(item == next++);
    return 0;
}
