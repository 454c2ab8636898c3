//! Atomic addition to a pointer counts in elements with `+=`.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stdatomic.h>

static int a[3] = {1, 2, 3};
static int *_Atomic p = a;

int main(void) {
    p += 2;
    assert(*p == 3);
    p--;
    assert(*p == 2 && p == &a[1]);
    return 0;
}
