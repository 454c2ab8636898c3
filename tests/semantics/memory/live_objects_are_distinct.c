//! Objects that are alive at the same time have different addresses.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stdlib.h>

static int g;

int main(void) {
    int local;
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    assert(p != q && p != &g && q != &local && &g != &local);
    free(p);
    free(q);
    return 0;
}
