//! Should be false(valid-deref), is true: one order of comparisons is followed; C leaves it open.
#include <stdlib.h>
int cmp(const void *a, const void *b) { const int *x = a, *y = b; return x[1] - y[0]; }
int main(void) { int a[3] = {3, 1, 2}; qsort(a, 3, sizeof(int), cmp); return 0; }
