//! A variable of the environment may be set, to anything.
//! expect: unreach-call false
//! gcc: skip depends on the environment
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *value = getenv("MODE");
    assert(!value || value[0] != 'x'); // violation: unreach-call
    return 0;
}
