//! C11 threads and mutexes behave like those of POSIX.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int x;

static int child(void *arg) {
    (void)arg;
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 7;
}

int main(void) {
    thrd_t a;
    int result;
    mtx_init(&m, mtx_plain);
    assert(thrd_create(&a, child, 0) == thrd_success);
    child(0);
    assert(thrd_join(a, &result) == thrd_success);
    assert(result == 7 && x == 2);
    mtx_destroy(&m);
    return 0;
}
