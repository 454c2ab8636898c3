//! Floating-point division by zero yields an infinity and stops nobody.
//! expect: unreach-call true
//! expect: no-div-zero true
#include <assert.h>

int main(void) {
    volatile double zero = 0.0;
    double inf = 1.0 / zero;
    assert(inf > 1e308 && -inf < -1e308);
    double nan = zero / zero;
    assert(nan != nan);
    return 0;
}
