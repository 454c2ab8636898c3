//! Constructors run before `main`: by priority, those without one last; the attribute may stand at a declaration.
//! expect: unreach-call true
#include <assert.h>

static int order;
static void late(void) __attribute__((constructor));
static void late(void) { order = order * 10 + 3; }
__attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void latest(void) { order = order * 10 + 4; }

int main(void) {
    assert(order == 1234);
    return 0;
}
