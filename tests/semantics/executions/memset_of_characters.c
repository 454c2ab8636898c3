//! A library write of a few characters is not one step.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char shared[2] = "aa";

static void *writer(void *arg) {
    memset(shared, 'b', 2); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    char first = shared[0];  // violation: no-data-race
    char second = shared[1]; // violation: no-data-race
    assert(first == 'a' || second == 'b'); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
