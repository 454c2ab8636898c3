//! Shifts by 0 and by width - 1 are fine, at the width of the promoted left operand.
//! expect: unreach-call true
//! expect: no-bad-shift true
#include <assert.h>

int main(void) {
    volatile int zero = 0, top = 31, wide = 63;
    volatile unsigned char byte = 1;
    assert((1u << zero) == 1 && (1u << top) == 0x80000000u);
    assert((1ull << wide) >> wide == 1);
    assert((byte << 8) == 256);
    assert(-8 >> 1 == -4 && (-1 >> top) == -1);
    return 0;
}
