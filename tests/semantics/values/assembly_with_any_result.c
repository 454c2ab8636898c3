//! Assembly that only computes gives any values to its outputs, and changes nothing else.
//! expect: unreach-call true
//! expect: no-uninit true
//! gcc: skip is for x86 only
#include <assert.h>

int main(void) {
    unsigned low, high, kept = 5, count;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    __asm__("popcnt %1, %0" : "=r"(count) : "r"(kept) : "cc");
    assert(kept == 5);
    return low == high && count == 2;
}
