//! Memory of `alloca` ends with the function that asked for it.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip its memory is still there, natively
#include <alloca.h>

static int *kept;

static void keep(void) {
    int *here = alloca(sizeof *here);
    *here = 1;
    kept = here;
}

int main(void) {
    keep();
    return *kept; // violation: valid-memsafety
}
