//! Two threads read the same arbitrary value from the same uninitialised heap word, and reads do not race.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-uninit false
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *p, first;

static void *reader(void *arg) {
    first = *p;
    return arg;
}

int main(void) {
    pthread_t a;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, reader, 0);
    int second = *p;
    pthread_join(a, 0);
    assert(first == second); // violation: no-uninit
    free(p);
    return 0;
}
