//! A pointer copied byte by byte is the same pointer.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>

int main(void) {
    int x = 1, *p = &x, *q;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&q)[i] = ((char *)&p)[i];
    *q = 2;
    assert(p == q && x == 2);
    return 0;
}
