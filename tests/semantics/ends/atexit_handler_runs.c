//! Handlers given to atexit run at the end of main.
//! expect: unreach-call false
#include <assert.h>
#include <stdlib.h>

static int x;

static void at_end(void) {
    assert(x == 0); // violation: unreach-call
}

int main(void) {
    atexit(at_end);
    x = 1;
    return 0;
}
