//! A null pointer has no object; the access stops the thread, so nothing behind it happens.
//! expect: valid-memsafety false(valid-deref)
//! expect: unreach-call true
//! gcc: skip ends the process with a signal
#include <assert.h>

int main(void) {
    int *volatile p = 0;
    *p = 1; // violation: valid-memsafety
    assert(0);
    return 0;
}
