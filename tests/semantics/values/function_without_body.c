//! A function without a body returns any value of its type.
//! expect: unreach-call false
//! gcc: skip nothing to link with
#include <assert.h>

extern int read_sensor(void);

int main(void) {
    int x = read_sensor();
    assert(x == 0); // violation: unreach-call
    return 0;
}
