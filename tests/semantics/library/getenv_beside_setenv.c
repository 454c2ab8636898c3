//! A change of the environment races with reading it.
//! expect: no-data-race false
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    (void)getenv("A"); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    setenv("A", "1", 1); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
