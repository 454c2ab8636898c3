//! A thread that main's return stops in the middle has a live stack: what it holds is not a leak.
//! expect: valid-memsafety true
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    return 0;
}
