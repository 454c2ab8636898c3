//! A new object may also get another address than the freed one.
//! expect: unreach-call false
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    uintptr_t before = (uintptr_t)p;
    free(p);
    int *q = malloc(sizeof *q);
    uintptr_t after = (uintptr_t)q;
    free(q);
    assert(before == after); // violation: unreach-call
    return 0;
}
