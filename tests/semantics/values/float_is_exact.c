//! Floating point is IEEE double, bit by bit, and conversion to int truncates.
//! expect: unreach-call true
#include <assert.h>

int main(void) {
    volatile double tenth = 0.1, fifth = 0.2;
    assert(tenth + fifth != 0.3);
    assert(tenth + fifth - 0.3 < 1e-16);
    volatile double x = -2.9;
    assert((int)x == -2);
    volatile float f = 16777216.0f;
    assert((float)(f + 1.0f) == f);
    return 0;
}
