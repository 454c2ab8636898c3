//! C leaves open which elements are compared: the first and the last of a sorted array may be.
//! expect: unreach-call false
//! gcc: skip these two are not compared by every library
#include <assert.h>
#include <stdlib.h>

static int compares(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    assert(x != 1 || y != 3); // violation: unreach-call
    return (x > y) - (x < y);
}

int main(void) {
    int list[3] = {1, 2, 3};
    qsort(list, 3, sizeof *list, compares);
    return 0;
}
