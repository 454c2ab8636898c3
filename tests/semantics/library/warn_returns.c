//! warnx returns.
//! expect: unreach-call false
#include <assert.h>
#include <err.h>

int main(void) {
    warnx("one way");
    assert(0); // violation: unreach-call
    return 0;
}
