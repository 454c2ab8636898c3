//! An uninitialised value is fixed at allocation: reading it twice gives the same.
//! expect: unreach-call true
//! expect: no-uninit false
#include <assert.h>

int main(void) {
    int x;
    int *p = &x;
    int first = *p;
    int second = *p;
    assert(first == second); // violation: no-uninit
    return 0;
}
