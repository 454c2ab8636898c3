//! Locked `xadd`, `cmpxchg`, `inc` and `add` in inline assembly, `xchg` of registers, `bswap`, and an empty template.
//! expect: unreach-call true
#include <assert.h>

int main(void) {
    int x = 5, v = 3, found, a = 1, b = 2, c;
    unsigned swapped = 0x11223344;
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(x) : : "memory", "cc");
    assert(v == 5 && x == 8);
    __asm__ __volatile__("lock\n\tcmpxchgl %2,%1" : "=a"(found), "+m"(x) : "r"(9), "0"(8) : "memory");
    assert(found == 8 && x == 9);
    __asm__ __volatile__("lock; cmpxchgl %2,%1" : "=a"(found), "+m"(x) : "r"(7), "0"(8) : "memory");
    assert(found == 9 && x == 9);
    __asm__ __volatile__("lock incl %0" : "+m"(x));
    __asm__ __volatile__("lock; addl $2, %[m]" : [m] "+m"(x));
    assert(x == 12);
    __asm__("xchg %0,%1" : "+r"(a), "+r"(b));
    assert(a == 2 && b == 1);
    __asm__("bswap %0" : "+r"(swapped));
    assert(swapped == 0x44332211);
    __asm__("" : "=r"(c) : "0"(a));
    assert(c == 2);
    return 0;
}
