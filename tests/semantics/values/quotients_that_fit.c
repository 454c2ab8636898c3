//! Divisions by -1, and of the smallest number, that fit.
//! expect: no-div-zero true
//! expect: unreach-call true
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile int smallest = INT_MIN, minus_one = -1, two = 2;
    volatile short narrow = SHRT_MIN;
    assert((smallest + 1) / minus_one == INT_MAX);
    assert(smallest / two == INT_MIN / 2);
    assert((smallest + 1) % minus_one == 0);
    assert(narrow / minus_one == -(int)SHRT_MIN);
    assert((unsigned)smallest / (unsigned)minus_one == 0);
    return 0;
}
