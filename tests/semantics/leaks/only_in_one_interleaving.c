//! A leak counts if any interleaving ends with it: two lazy initialisations, one object lost.
//! expect: valid-memsafety false(valid-memtrack)
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *get(void *arg) {
    if (!instance)
        instance = malloc(sizeof *instance); // violation: valid-memsafety
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    get(0);
    pthread_join(a, 0);
    free(instance);
    return 0;
}
