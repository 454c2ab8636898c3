//! SB on plain variables: the race is reported, but executions stay sequentially consistent.
//! expect: unreach-call true
//! expect: no-data-race false
//! gcc: skip real hardware is weaker than sequential consistency
#include <assert.h>
#include <pthread.h>

static int x, y, r1, r2;

static void *left(void *arg) {
    x = 1; // violation: no-data-race
    r1 = y; // violation: no-data-race
    return arg;
}

static void *right(void *arg) {
    y = 1; // violation: no-data-race
    r2 = x; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
