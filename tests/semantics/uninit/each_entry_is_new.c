//! A block's local is a new object each time the block is entered: it does not remember.
//! expect: unreach-call false
//! expect: no-uninit false
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        int *p = &x;
        if (i == 0)
            *p = 5;
        assert(*p == 5); // violation: unreach-call, no-uninit
    }
    return 0;
}
