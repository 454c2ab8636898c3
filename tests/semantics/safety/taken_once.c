//! Whoever takes the object by an atomic exchange is the only one to free it.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic object;

static void *child(void *arg) {
    free(atomic_exchange(&object, 0));
    return arg;
}

int main(void) {
    pthread_t a, b;
    object = malloc(1);
    pthread_create(&a, 0, child, 0);
    pthread_create(&b, 0, child, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
