//! What malloc returns holds arbitrary values, not zeros.
//! expect: unreach-call false
//! expect: no-uninit false
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    int sum = p[0] | p[1];
    free(p);
    assert(sum == 0); // violation: unreach-call, no-uninit
    return 0;
}
