//! A conversion to a narrower type keeps the low bits and is no overflow.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

int main(void) {
    volatile long long big = 0x123456789abcdef0LL;
    assert((int)big == (int)0x9abcdef0u);
    assert((unsigned char)big == 0xf0);
    assert((signed char)big == -16);
    return 0;
}
