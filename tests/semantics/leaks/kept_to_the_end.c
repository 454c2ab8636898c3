//! What a global variable still points to in the end is not lost, but it is not freed either.
//! expect: valid-memsafety true
//! expect: valid-memcleanup false
#include <pthread.h>
#include <stdlib.h>

static int *kept;

static void *child(void *arg) {
    kept = malloc(sizeof *kept); // violation: valid-memcleanup
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
