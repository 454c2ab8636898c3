//! The variables of the functions that `longjmp` leaves are gone.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip the memory is still there
#include <setjmp.h>

static jmp_buf place;
static int *kept;

static void goes_back(void) {
    int own = 1;
    kept = &own;
    longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0)
        goes_back();
    return *kept - *kept; // violation: valid-memsafety
}
