#include <assert.h>
#include <stdint.h>
uintptr_t f(void) { volatile int x = 1; return (uintptr_t)&x; }
int main(void) {
    uintptr_t p = f(), q = f();
    assert(p != q);
    return 0;
}
