//! drand48 has one state for all threads.
//! expect: no-data-race false
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    (void)drand48(); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
