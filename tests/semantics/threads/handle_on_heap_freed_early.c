//! The argument on the heap is freed while the thread may still read it.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *takes(void *arg) {
    seen = *(int *)arg + 1; // violation: valid-memsafety
    return 0;
}

int main(void) {
    pthread_t *thread = malloc(sizeof *thread);
    int *id = malloc(sizeof *id);
    *id = 3;
    pthread_create(thread, 0, takes, id);
    free(id);
    pthread_join(*thread, 0);
    free(thread);
    return 0;
}
