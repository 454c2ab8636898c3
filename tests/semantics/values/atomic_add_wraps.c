//! Atomic arithmetic on a signed type wraps silently: it is no overflow.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = INT_MAX;
    atomic_fetch_add(&x, 1);
    assert(x == INT_MIN);
    return 0;
}
