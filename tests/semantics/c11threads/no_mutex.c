//! C11 threads race like those of POSIX.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <threads.h>

static int x;

static int child(void *arg) {
    (void)arg;
    x++; // violation: no-data-race
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, child, 0);
    child(0);
    thrd_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
