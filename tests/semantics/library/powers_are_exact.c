//! Mathematical functions are exact where their results are.
//! expect: unreach-call true
//! gcc: skip needs -lm
#include <assert.h>
#include <math.h>

int main(void) {
    assert(pow(2.0, 10.0) == 1024.0 && pow(-3.0, 3.0) == -27.0 && pow(2.0, -1.0) == 0.5);
    assert(exp(0.0) == 1.0 && log(1.0) == 0.0 && sin(0.0) == 0.0 && ldexp(3.0, 4) == 48.0);
    return 0;
}
