//! In mixed comparisons the signed operand is converted to unsigned.
//! expect: unreach-call true
#include <assert.h>

int main(void) {
    volatile int minus = -1;
    volatile unsigned one = 1;
    volatile unsigned short small = 1;
    assert(minus > one);
    assert(minus < small);
    assert((long long)minus < one);
    assert((1 ? minus : one) > 0);
    return 0;
}
