//! Bounds are those of the object, not of the member: an overrun into the next member is no invalid access.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>

static struct { int a[2], b; } s;

int main(void) {
    int *volatile p = s.a;
    p[2] = 7;
    assert(s.b == 7);
    return 0;
}
