//! An uninitialised local holds an arbitrary value; a branch on it is reported by no-uninit.
//! expect: unreach-call false
//! expect: no-uninit false
#include <assert.h>

int main(void) {
    int x;
    int *p = &x;
    assert(*p != 42); // violation: unreach-call, no-uninit
    return 0;
}
