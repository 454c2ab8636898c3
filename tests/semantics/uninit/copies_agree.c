//! An uninitialised local has one arbitrary value: every copy of it is equal.
//! expect: unreach-call true
//! gcc: skip reading an indeterminate value is undefined
#include <assert.h>

static int global;

int main(void) {
    int x;
    int y = x;
    global = x;
    assert(x == y);
    assert(global == y);
    return 0;
}
