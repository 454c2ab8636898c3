//! Memory that was requested with an alignment has it.
//! expect: unreach-call true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p;
    if (posix_memalign(&p, 64, 100))
        return 1;
    assert(((uintptr_t)p & 63) == 0);
    free(p);
    return 0;
}
