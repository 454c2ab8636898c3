//! The last byte of a heap object is inside, and the pointer one past the end may be formed.
//! expect: valid-memsafety true
#include <stdlib.h>

int main(void) {
    char *p = malloc(3), *end = p + 3;
    for (char *q = p; q != end; q++)
        *q = 0;
    free(p);
    return 0;
}
