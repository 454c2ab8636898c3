//! Two threads free the same object: an invalid free, and a race.
//! expect: valid-memsafety false(valid-free)
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    free(arg); // violation: valid-memsafety, no-data-race
    return 0;
}

int main(void) {
    pthread_t a, b;
    void *p = malloc(1);
    pthread_create(&a, 0, child, p);
    pthread_create(&b, 0, child, p);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
