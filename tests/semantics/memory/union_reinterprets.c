//! Members of a union share their bytes, little end first.
//! expect: unreach-call true
#include <assert.h>
#include <stdint.h>

static union { uint32_t word; uint8_t byte[4]; float real; } u;

int main(void) {
    u.word = 0x01020304;
    assert(u.byte[0] == 4 && u.byte[3] == 1);
    u.byte[1] = 0xff;
    assert(u.word == 0x0102ff04);
    u.real = 1.0f;
    assert(u.word == 0x3f800000);
    return 0;
}
