//! Small types are promoted to int before an operator is applied.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

int main(void) {
    volatile unsigned char a = 0xf0, b = 0x20;
    assert(a + b == 0x110);
    assert(~a == -241);
    assert((unsigned char)~a == 0x0f);
    assert(a - b - 0xff < 0);
    assert(sizeof(a + b) == sizeof(int) && sizeof(+a) == sizeof(int));
    return 0;
}
