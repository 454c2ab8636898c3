//! A store to one bit-field on the heap does not write its neighbour in the same byte.
//! expect: no-uninit false
#include <stdlib.h>

struct bits {
    unsigned a : 1, b : 1;
};

int main(void) {
    struct bits *s = malloc(sizeof *s);
    int result;
    s->a = 0;
    result = s->b ? 1 : 2; // violation: no-uninit
    free(s);
    return result;
}
