//! Whatever an order is computed from happens once, for one order or two, and the operation does what it does.
//! expect: unreach-call true
#include <assert.h>
#include <stdatomic.h>

int asked;

static memory_order ask(memory_order order) {
    asked++;
    return order;
}

int main(void) {
    atomic_int value = 0;
    int expected = 0;
    assert(atomic_compare_exchange_strong_explicit(&value, &expected, 3, ask(memory_order_acq_rel),
                                                   ask(memory_order_relaxed)));
    assert(asked == 2);
    assert(atomic_fetch_add_explicit(&value, 2, ask(memory_order_release)) == 3);
    atomic_thread_fence(ask(memory_order_seq_cst));
    assert(atomic_load_explicit(&value, ask(memory_order_acquire)) == 5);
    assert(asked == 5);
    return 0;
}
