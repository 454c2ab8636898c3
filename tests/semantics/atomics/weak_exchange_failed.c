//! A weak compare-and-swap that failed stored nothing and left the current value in `expected`.
//! expect: unreach-call true
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 5;
    int expected = 5;
    if (atomic_compare_exchange_weak(&x, &expected, 6))
        assert(x == 6 && expected == 5);
    else
        assert(x == 5 && expected == 5);
    return 0;
}
