//! free counts as a write to the whole object.
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

static char *p;

static void *child(void *arg) {
    char c = p[1]; // violation: no-data-race
    (void)c;
    return arg;
}

int main(void) {
    pthread_t t;
    p = calloc(2, 1);
    pthread_create(&t, 0, child, 0);
    free(p); // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
