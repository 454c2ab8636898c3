//! Freeing a null pointer does nothing.
//! expect: valid-memsafety true
#include <stdlib.h>

int main(void) {
    free(0);
    void *volatile p = 0;
    free(p);
    free(p);
    return 0;
}
