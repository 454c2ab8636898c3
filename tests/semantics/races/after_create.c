//! What main does right after it created the thread can.
//! expect: no-data-race false
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    assert(x == 1); // violation: no-data-race, unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 1; // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
