//! A bit-field keeps as many bits as it has; a signed one extends its sign.
//! expect: unreach-call true
#include <assert.h>

static struct { unsigned u : 3; signed int s : 3; unsigned long long wide : 40; } f;

int main(void) {
    volatile int nine = 9, seven = 7;
    f.u = nine;
    f.s = seven;
    assert(f.u == 1 && f.s == -1);
    assert((f.u = seven + 2) == 1);
    f.wide = ~0ull;
    assert(f.wide == 0xffffffffffull);
    assert(f.u == 1 && f.s == -1);
    return 0;
}
