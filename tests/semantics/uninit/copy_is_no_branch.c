//! Copying an uninitialised value is no violation as long as no branch depends on it.
//! expect: unreach-call true
//! expect: no-uninit true
#include <assert.h>

struct option { int set, value; };

int main(void) {
    struct option none;
    none.set = 0;
    struct option copy = none;
    assert(!copy.set);
    return 0;
}
