//! A volatile flag puts nothing in order: it races itself.
//! expect: no-data-race false
//! expect: unreach-call true
//! gcc: skip the compiler may reorder plain accesses
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int x;

static void *child(void *arg) {
    if (ready) // violation: no-data-race
        assert(x == 5);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 5;
    ready = 1; // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
