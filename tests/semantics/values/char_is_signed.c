//! Plain char is signed on both data models.
//! expect: unreach-call true
#include <assert.h>

int main(void) {
    volatile char c = (char)0xff;
    volatile unsigned char u = 0xff;
    assert(c == -1 && c < 0);
    assert(u == 255 && c != u);
    return 0;
}
