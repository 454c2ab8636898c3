//! `--` at INT_MIN is an overflow.
//! expect: no-overflow false
#include <limits.h>

int main(void) {
    volatile int x = INT_MIN;
    x--; // violation: no-overflow
    return 0;
}
