//! A tag in a shared word makes a compare-and-swap fail that would succeed on the bare address.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-memsafety true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int node;
static _Atomic uintptr_t top;

static void *mark(void *arg) {
    atomic_fetch_or(&top, 1);
    return arg;
}

int main(void) {
    pthread_t a;
    top = (uintptr_t)&node;
    pthread_create(&a, 0, mark, 0);
    uintptr_t expected = (uintptr_t)&node;
    int won = atomic_compare_exchange_strong(&top, &expected, 0);
    pthread_join(a, 0);
    assert(won ? top == 1 : expected == ((uintptr_t)&node | 1));
    return 0;
}
