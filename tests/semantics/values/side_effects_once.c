//! A compound assignment evaluates its left side once.
//! expect: unreach-call true
#include <assert.h>

static int a[3] = {1, 2, 3};

int main(void) {
    int i = 0, *p = a;
    a[i++] += 10;
    assert(i == 1 && a[0] == 11 && a[1] == 2);
    *p++ <<= 1;
    assert(p == &a[1] && a[0] == 22);
    return 0;
}
