//! Closing a file may fail.
//! expect: unreach-call false
//! gcc: skip depends on the world outside
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(close(0) == 0); // violation: unreach-call
    return 0;
}
