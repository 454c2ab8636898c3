//! There is no limit to the number of handlers.
//! expect: unreach-call true
#include <assert.h>
#include <stdlib.h>

static int ran;

static void handler(void) { ran++; }

static void last(void) {
    assert(ran == 40);
}

int main(void) {
    atexit(last);
    for (int i = 0; i < 40; i++)
        assert(atexit(handler) == 0);
    return 0;
}
