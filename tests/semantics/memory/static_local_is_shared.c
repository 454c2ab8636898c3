//! A static local is one object for all threads.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static int next(void) {
    static int counter;
    return ++counter; // violation: no-data-race
}

static int mine;

static void *child(void *arg) {
    mine = next();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int other = next();
    pthread_join(a, 0);
    assert(other == 1 && mine == 1); // violation: unreach-call
    return 0;
}
