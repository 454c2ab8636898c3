//! err does not return.
//! expect: unreach-call true
//! gcc: skip ends with a status
#include <assert.h>
#include <err.h>

int main(void) {
    err(1, "no %s", "way");
    assert(0);
}
