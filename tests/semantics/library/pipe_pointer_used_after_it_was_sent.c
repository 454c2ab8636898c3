//! Who sends a pointer away may not use it any more.
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race false
//! gcc: skip needs an interleaving
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>

static int ends[2];

static void *frees(void *a) {
    int *p;
    if (read(ends[0], &p, sizeof p) == sizeof p)
        free(p); // violation: no-data-race
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, frees, 0);
    int *p = malloc(sizeof *p);
    assert(write(ends[1], &p, sizeof p) == sizeof p);
    *p = 7; // violation: valid-deref, no-data-race
    pthread_join(t, 0);
    return 0;
}
