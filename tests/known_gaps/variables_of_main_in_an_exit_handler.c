//! Should be false(valid-deref), is true: the variables of `main` live while exit handlers run.
#include <stdlib.h>
int *g; void h(void) { *g = 1; }
int main(void) { int x; g = &x; atexit(h); return 0; }
