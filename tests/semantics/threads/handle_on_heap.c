//! A handle on the heap beside an argument on the heap: neither makes the other a number or a name.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *takes(void *arg) {
    seen = *(int *)arg + 1;
    return 0;
}

int main(void) {
    pthread_t *thread = malloc(sizeof *thread);
    int *id = malloc(sizeof *id);
    *id = 3;
    pthread_create(thread, 0, takes, id);
    pthread_join(*thread, 0);
    free(id);
    free(thread);
    assert(seen == 4);
    return 0;
}
