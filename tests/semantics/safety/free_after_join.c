//! Freed after the join, nobody uses it any more.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *child(void *arg) {
    *p = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    free(p);
    return 0;
}
