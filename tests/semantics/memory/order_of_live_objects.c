//! Objects that live at the same time lie apart, in one order or the other.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    long *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    *p = *q = 0;
    uintptr_t x = (uintptr_t)p, y = (uintptr_t)q;
    uintptr_t low = x < y ? x : y, high = x < y ? y : x;
    assert(low != high);
    assert(high - low >= sizeof *p);
    assert(high % 16 == 0 && (low / 16) * 16 == low);
    free(p);
    free(q);
    return 0;
}
