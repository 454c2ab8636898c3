//! `volatile` makes neither an increment indivisible nor the access a synchronisation.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static volatile int x;

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
