//! The number of the process is not known beforehand.
//! expect: unreach-call false
//! gcc: skip depends on the world outside
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(getpid() != 17); // violation: unreach-call
    return 0;
}
