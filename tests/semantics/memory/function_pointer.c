//! Function pointers keep their identity through void pointers and integers.
//! expect: unreach-call true
#include <assert.h>
#include <stdint.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void) {
    int (*table[2])(void) = {one, two};
    uintptr_t n = (uintptr_t)table[1];
    int (*back)(void) = (int (*)(void))n;
    assert(back == two && back != one && back() == 2 && (*table[0])() == 1);
    return 0;
}
