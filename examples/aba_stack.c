//! ABA on a lock-free stack that frees its nodes.
//!
//! `pop` reads the top node and then swings `top` to its successor if `top` still holds the same
//! address. Meanwhile the other thread can pop that node, free it, and push a new one that malloc puts at
//! the same address: the compare-and-swap succeeds on the wrong node, and one item is popped twice. Even
//! before that, `old->next` may be read after another thread has freed `old`.
//! aba_stack_fixed.c is a correct version.
//!
//! expect: unreach-call false
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

static struct node *_Atomic top;
static atomic_int popped[2];

static void push(int item) {
    struct node *node = malloc(sizeof *node);
    node->item = item;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static void pop(void) {
    struct node *old = atomic_load(&top);
    if (!old)
        return;
    int item = old->item;          // violation: valid-memsafety, no-data-race
    struct node *next = old->next; // violation: valid-memsafety, no-data-race
    if (atomic_compare_exchange_strong(&top, &old, next)) {
        int times = atomic_fetch_add(&popped[item], 1);
        assert(times == 0); // violation: unreach-call
        free(old);          // violation: no-data-race
    }
}

static void *other(void *arg) {
    pop();
    push(1);
    return arg;
}

int main(void) {
    pthread_t thread;
    push(0);
    pthread_create(&thread, 0, other, 0);
    pop();
    pthread_join(thread, 0);
    return 0;
}
