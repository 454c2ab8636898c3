//! A condition variable holds nothing, but signalling one whose memory was freed is an access to it.
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

static pthread_cond_t *c;

static void *child(void *arg) {
    pthread_cond_signal(c); // violation: valid-memsafety, no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    c = malloc(sizeof *c);
    pthread_cond_init(c, 0);
    pthread_create(&a, 0, child, 0);
    free(c); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
