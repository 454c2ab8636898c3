//! Reading a file may fail.
//! expect: unreach-call false
//! gcc: skip reads its input
#include <assert.h>
#include <unistd.h>

int main(void) {
    char byte;
    long n = read(0, &byte, 1);
    assert(n >= 0); // violation: unreach-call
    return 0;
}
