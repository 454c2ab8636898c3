//! `rdtsc` yields any number.
//! expect: unreach-call false
//! gcc: skip is for x86 only
#include <assert.h>

int main(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    assert(low != 1 || high != 0); // violation: unreach-call
    return 0;
}
