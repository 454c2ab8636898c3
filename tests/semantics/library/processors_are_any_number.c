//! A machine has some processors, not always two.
//! expect: unreach-call false
//! gcc: skip depends on the world outside
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(sysconf(_SC_NPROCESSORS_ONLN) <= 2); // violation: unreach-call
    return 0;
}
