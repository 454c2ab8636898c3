//! A thread-local object is reached from other threads through a pointer, and then it can race.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter;

static void *child(void *arg) {
    int *of_main = arg;
    *of_main = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, &counter);
    assert(counter == 0); // violation: unreach-call, no-data-race
    pthread_join(a, 0);
    return 0;
}
