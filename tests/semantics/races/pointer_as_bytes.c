//! An object whose address was handed over byte by byte is as shared as any other.
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

static char copy[sizeof(int *)];

static void *child(void *arg) {
    int *p;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&p)[i] = copy[i];
    *p = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    int *p = malloc(sizeof *p);
    for (unsigned i = 0; i < sizeof p; i++)
        copy[i] = ((char *)&p)[i];
    pthread_create(&a, 0, child, 0);
    *p = 2; // violation: no-data-race
    pthread_join(a, 0);
    free(p);
    return 0;
}
