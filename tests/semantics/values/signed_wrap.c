//! Unchecked signed overflow wraps; no-overflow reports it.
//! expect: unreach-call true
//! expect: no-overflow false
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile int x = INT_MAX;
    int y = x + 1; // violation: no-overflow
    assert(y == INT_MIN);
    return 0;
}
