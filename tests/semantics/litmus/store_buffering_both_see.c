//! SB: both threads seeing the other's store is allowed.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *left(void *arg) {
    x = 1;
    r1 = y;
    return arg;
}

static void *right(void *arg) {
    y = 1;
    r2 = x;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r1 == 0 || r2 == 0); // violation: unreach-call
    return 0;
}
