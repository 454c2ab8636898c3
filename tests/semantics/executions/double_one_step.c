//! A double is a scalar: its store is one indivisible step.
//! expect: unreach-call true
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static double x = 1.0;

static void *writer(void *arg) {
    x = -2.5; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    double seen = x; // violation: no-data-race
    assert(seen == 1.0 || seen == -2.5);
    pthread_join(a, 0);
    return 0;
}
