//! A quotient of constants that does not fit is not folded.
//! expect: no-div-zero false
//! gcc: skip warned of, and folded by the compiler
#include <limits.h>

int main(void) {
    return INT_MIN % -1; // violation: no-div-zero
}
