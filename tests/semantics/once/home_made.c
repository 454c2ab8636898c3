//! A home-made "once" on a plain flag runs twice.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static int done, x;

static void *child(void *arg) {
    if (!done) { // violation: no-data-race
        x++; // violation: no-data-race
        done = 1; // violation: no-data-race
    }
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 1); // violation: unreach-call
    return 0;
}
