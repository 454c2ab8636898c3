//! A library copy of several scalars is not one step.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long shared[2];

static void *writer(void *arg) {
    long both[2] = {1, 1};
    memcpy(shared, both, sizeof shared); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    long first = shared[0]; // violation: no-data-race
    long second = shared[1]; // violation: no-data-race
    assert(first == second); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
