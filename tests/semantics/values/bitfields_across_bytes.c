//! Bit-fields across bytes, packed, signed, volatile, behind a zero width: a store changes only its own bits.
//! expect: unreach-call true
#include <assert.h>

struct __attribute__((packed)) packed { unsigned a : 5; unsigned long long b : 62; signed c : 7; char z; };
struct mixed { char head; unsigned a : 4; signed b : 20; unsigned : 0; volatile unsigned v : 3, w : 30; _Bool f : 1; };

int main(void) {
    volatile int one = 1;
    struct packed p = {31, 0, -1, 'z'};
    p.b = ~0ull >> one;
    assert(p.a == 31 && p.b == ~0ull >> 2 && p.c == -1 && p.z == 'z');
    p.b = 0;
    p.c <<= 3;
    assert(p.a == 31 && p.b == 0 && p.c == -8 && p.z == 'z');
    struct mixed m = {'h', 9, -5, 7, 0x3fffffff, 1};
    m.b -= one;
    m.a |= 6;
    m.v = 2;
    m.f = one + 1;
    assert(m.head == 'h' && m.a == 15 && m.b == -6 && m.v == 2 && m.w == 0x3fffffff && m.f == 1);
    m.w++;
    assert(m.w == 0 && m.v == 2 && m.f == 1);
    return 0;
}
