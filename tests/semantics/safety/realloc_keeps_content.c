//! realloc keeps the old content, and from a null pointer it is malloc.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = realloc(0, sizeof *p);
    *p = 1;
    p = realloc(p, 2 * sizeof *p);
    p[1] = 2;
    assert(p[0] == 1);
    p = realloc(p, sizeof *p);
    assert(*p == 1);
    free(p);
    return 0;
}
