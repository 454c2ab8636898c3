//! An instruction makes at most one shared access: `x++` on a plain int loads and stores in two steps.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static int x;

static void *increment(void *arg) {
    x++; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, increment, 0);
    x++; // violation: no-data-race
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
