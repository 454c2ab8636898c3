//! 128-bit integers are exact at their edges, also from floating point.
//! expect: unreach-call true
//! expect: no-overflow true
#include <assert.h>

int main(void) {
    volatile double big = 1.5e38, bigger = 3e38;
    __int128 a = (__int128)big;
    unsigned __int128 b = (unsigned __int128)bigger;
    assert((double)a == 1.5e38);
    assert((double)b == 3e38);
    unsigned __int128 top = (unsigned __int128)1 << 127;
    assert(top >> 127 == 1);
    return 0;
}
