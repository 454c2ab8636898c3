//! C11 condition variables: wait in a loop, signal after the change.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int child(void *arg) {
    (void)arg;
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    assert(ready == 1);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&a, child, 0);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(a, 0);
    return 0;
}
