//! Each of many handlers runs.
//! expect: unreach-call false
#include <assert.h>
#include <stdlib.h>

static int ran;

static void handler(void) { ran++; }

static void last(void) {
    assert(ran == 32); // violation: unreach-call
}

int main(void) {
    atexit(last);
    for (int i = 0; i < 40; i++)
        assert(atexit(handler) == 0);
    return 0;
}
