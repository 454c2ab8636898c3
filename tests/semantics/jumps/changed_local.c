//! A local that has changed between `setjmp` and `longjmp` is indeterminate.
//! expect: no-uninit false
//! gcc: skip compilers keep some of them
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    int count = 0;
    if (setjmp(place) == 0) {
        count = 1;
        longjmp(place, 1);
    }
    if (count == 1) // violation: no-uninit
        return 0;
    return 0;
}
