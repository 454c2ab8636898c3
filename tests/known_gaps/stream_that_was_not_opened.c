//! Should be false(valid-deref), is true: `fopen` returns null, and no function of streams looks at its stream.
#include <stdio.h>
int main(void) { FILE *f = fopen("nosuch", "r"); return fgetc(f); }
