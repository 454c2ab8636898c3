//! An index that is copied first stays what was checked.
//! expect: valid-memsafety true
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
    int mine = i;
    if (mine < 2)
        a[mine] = 1;
    pthread_join(t, 0);
    free(a);
    return 0;
}
