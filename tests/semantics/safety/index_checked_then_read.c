//! An index that is checked and read again can change in between.
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int i;
static char *a;

static void *child(void *arg) {
    i = 5;
    return arg;
}

int main(void) {
    pthread_t t;
    a = calloc(2, 1);
    pthread_create(&t, 0, child, 0);
    if (i < 2)
        a[atomic_load(&i)] = 1; // violation: valid-memsafety
    pthread_join(t, 0);
    free(a);
    return 0;
}
