//! A detached thread may free what it was given after the process has ended.
//! expect: valid-memcleanup false
//! gcc: skip the leak is a matter of time
#include <pthread.h>
#include <stdlib.h>

static void *kept;

static void *child(void *arg) {
    free(kept);
    return arg;
}

int main(void) {
    pthread_t a;
    kept = malloc(8); // violation: valid-memcleanup
    pthread_create(&a, 0, child, 0);
    pthread_detach(a);
    return 0;
}
