//! A strong compare-and-swap fails only on different values, and then stores the current one in `expected`.
//! expect: unreach-call true
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 5;
    int expected = 4;
    assert(!atomic_compare_exchange_strong(&x, &expected, 6));
    assert(x == 5 && expected == 5);
    assert(atomic_compare_exchange_strong(&x, &expected, 6));
    assert(x == 6 && expected == 5);
    return 0;
}
