//! IRIW: two readers agree on the order of two independent writes.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *write_x(void *arg) { x = 1; return arg; }
static void *write_y(void *arg) { y = 1; return arg; }

static void *read_xy(void *arg) {
    r1 = x;
    r2 = y;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, write_x, 0);
    pthread_create(&b, 0, write_y, 0);
    pthread_create(&c, 0, read_xy, 0);
    r3 = y;
    r4 = x;
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
