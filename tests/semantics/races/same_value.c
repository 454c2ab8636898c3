//! Two writes of the same value still race.
//! expect: no-data-race false
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 1; // violation: no-data-race
    pthread_join(a, 0);
    assert(x == 1);
    return 0;
}
