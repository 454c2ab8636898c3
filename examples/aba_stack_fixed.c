//! A lock-free stack that is safe from ABA: `top` carries a version beside the node's number.
//!
//! Nodes come from a fixed pool and are recycled at once, but each change of `top` raises the version, so
//! a compare-and-swap that started before a change fails.
//!
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-memsafety true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    atomic_int item;
    atomic_uint next;
};

static struct node node[2]; /* node[0] stands for "none" */
static _Atomic uint64_t top;
static atomic_int popped[2];

static uint64_t word(uint64_t before, unsigned number) {
    return ((before >> 32) + 1) << 32 | number;
}

static void push(unsigned number, int item) {
    uint64_t old = atomic_load(&top);
    node[number].item = item;
    do {
        node[number].next = (unsigned)old;
    } while (!atomic_compare_exchange_strong(&top, &old, word(old, number)));
}

static unsigned pop(void) {
    uint64_t old = atomic_load(&top);
    unsigned number = (unsigned)old;
    if (!number)
        return 0;
    int item = node[number].item;
    unsigned next = node[number].next;
    if (!atomic_compare_exchange_strong(&top, &old, word(old, next)))
        return 0;
    int times = atomic_fetch_add(&popped[item], 1);
    assert(times == 0);
    return number;
}

static void *other(void *arg) {
    unsigned number = pop();
    if (number)
        push(number, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    push(1, 0);
    pthread_create(&thread, 0, other, 0);
    pop();
    pthread_join(thread, 0);
    return 0;
}
