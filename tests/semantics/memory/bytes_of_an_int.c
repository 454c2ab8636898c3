//! Any object can be read and written through a char pointer.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>

int main(void) {
    int x = 0x11223344;
    unsigned char *bytes = (unsigned char *)&x;
    assert(bytes[0] == 0x44 && bytes[3] == 0x11);
    bytes[2] = 0;
    assert(x == 0x11003344);
    return 0;
}
