//! Atomic operations work at the width and sign of their type.
//! expect: unreach-call true
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t byte = 255;
static _Atomic int16_t half = -1;
static atomic_bool flag;

int main(void) {
    assert(atomic_fetch_add(&byte, 1) == 255 && byte == 0);
    assert(atomic_fetch_sub(&byte, 1) == 0 && byte == 255);
    assert(atomic_fetch_and(&half, 0xff) == -1 && half == 255);
    assert(atomic_fetch_xor(&half, 1) == 255 && half == 254);
    assert(!atomic_exchange(&flag, 2) && flag == 1);
    return 0;
}
