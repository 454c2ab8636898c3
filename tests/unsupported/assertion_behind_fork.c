//! The front end ends a function at what is not supported, so the assertion is not in the program that is verified.
//! ask: unreach-call
#include <assert.h>
#include <unistd.h>

int main(void) {
    fork();
    assert(0);
    return 0;
}
