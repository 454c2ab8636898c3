//! Reading a file gives at most as many bytes as were asked for, or -1.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! gcc: skip reads its input
#include <assert.h>
#include <unistd.h>

int main(void) {
    char bytes[2];
    long n = read(0, bytes, 2);
    assert(n >= -1 && n <= 2);
    return 0;
}
