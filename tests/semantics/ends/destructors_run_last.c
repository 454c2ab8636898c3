//! Destructors run at the end, after the handlers of atexit, in the opposite order of constructors.
//! expect: unreach-call true
#include <assert.h>
#include <stdlib.h>

static int order;
__attribute__((destructor(101))) static void last(void) { assert(order == 123); }
__attribute__((destructor(102))) static void third(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void second(void) { order = order * 10 + 2; }
static void first(void) { order = order * 10 + 1; }

int main(void) {
    atexit(first);
    return 0;
}
