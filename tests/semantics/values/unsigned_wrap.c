//! Unsigned arithmetic wraps and is not an overflow.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile unsigned x = UINT_MAX;
    assert(x + 1u == 0);
    assert(0u - x == 1);
    assert(x * x == 1);
    return 0;
}
