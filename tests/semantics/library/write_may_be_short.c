//! Writing may fail, or write less than it was asked to.
//! expect: unreach-call false
//! gcc: skip depends on the world outside
#include <assert.h>
#include <unistd.h>

int main(void) {
    long n = write(1, "ab", 2);
    assert(n == 2); // violation: unreach-call
    return 0;
}
