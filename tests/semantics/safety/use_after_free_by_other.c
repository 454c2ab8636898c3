//! A use after free needs only one interleaving: main frees before the thread is done.
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *child(void *arg) {
    *p = 1; // violation: valid-memsafety, no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, child, 0);
    free(p); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
