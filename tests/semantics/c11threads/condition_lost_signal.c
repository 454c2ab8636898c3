//! A C11 signal before the wait is lost as well.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <threads.h>

static mtx_t m;
static cnd_t c;

static int child(void *arg) {
    (void)arg;
    mtx_lock(&m);
    cnd_wait(&c, &m); // violation: no-deadlock
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&a, child, 0);
    cnd_signal(&c);
    thrd_join(a, 0); // violation: no-deadlock
    return 0;
}
