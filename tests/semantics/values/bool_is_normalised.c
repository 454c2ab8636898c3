//! Conversion to _Bool asks "is it non-zero", it does not keep the low bit.
//! expect: unreach-call true
#include <assert.h>
#include <stdbool.h>

int main(void) {
    volatile int even = 2;
    volatile double half = 0.5;
    bool a = even, b = half, c = &even;
    assert(a == 1 && b == 1 && c == 1);
    a++;
    assert(a == 1);
    a--;
    assert(a == 0);
    return 0;
}
