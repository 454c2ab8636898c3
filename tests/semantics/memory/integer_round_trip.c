//! A pointer that went through an integer is valid again.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stdint.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    uintptr_t n = (uintptr_t)&a[1];
    n += sizeof(int);
    assert(*(int *)n == 3);
    assert((uintptr_t)&a[3] - n == sizeof(int));
    return 0;
}
