//! A heap object handed over as the argument belongs to the thread.
//! expect: valid-memsafety true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *mine = arg;
    assert(*mine == 3);
    free(mine);
    return 0;
}

int main(void) {
    pthread_t a;
    int *given = malloc(sizeof *given);
    *given = 3;
    pthread_create(&a, 0, child, given);
    pthread_join(a, 0);
    return 0;
}
