//! A compound literal of scalar type is an object with an address.
//! expect: unreach-call true
#include <assert.h>

static void increment(int *p) { *p += 1; }

int main(void) {
    int *p = &(int){4};
    increment(p);
    assert(*p == 5);
    return 0;
}
