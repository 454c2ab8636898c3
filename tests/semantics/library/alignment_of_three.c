//! An alignment is a power of two.
//! expect: unreach-call false
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *p = 0;
    int error = posix_memalign(&p, 3 * sizeof p, 100);
    assert(error == 0); // violation: unreach-call
    free(p);
    return 0;
}
