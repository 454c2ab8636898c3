//! A char is incremented as an int and converted back: that is no overflow, the value wraps.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

int main(void) {
    volatile signed char c = 127;
    c++;
    assert(c == -128);
    volatile short s = -32768;
    s -= 1;
    assert(s == 32767);
    return 0;
}
