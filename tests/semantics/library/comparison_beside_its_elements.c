//! A comparison function looks behind its element: it may be called with the last one first.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip the value behind the array is read without complaint
#include <stdlib.h>

static int compares(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[1] - y[0]; // violation: valid-memsafety
}

int main(void) {
    int list[3] = {3, 1, 2};
    qsort(list, 3, sizeof *list, compares);
    return 0;
}
