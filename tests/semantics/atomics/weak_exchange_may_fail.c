//! A weak compare-and-swap may fail although the values are equal.
//! expect: unreach-call false
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 0;
    int expected = 0;
    int done = atomic_compare_exchange_weak(&x, &expected, 1);
    assert(done); // violation: unreach-call
    return 0;
}
