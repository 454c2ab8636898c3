//! A branch on a bit-field that was never written depends on an uninitialised value.
//! expect: no-uninit false
#include <assert.h>

int main(void) {
    struct { unsigned a : 8, b : 8; } s;
    s.a = 5;
    if (s.b == 5) // violation: no-uninit
        return 1;
    return 0;
}
