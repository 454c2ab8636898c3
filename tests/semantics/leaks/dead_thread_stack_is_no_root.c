//! The stack of a finished thread is no root: what only its locals held is lost.
//! expect: valid-memsafety false(valid-memtrack)
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *p = malloc(sizeof *p); // violation: valid-memsafety
    *p = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    return 0;
}
