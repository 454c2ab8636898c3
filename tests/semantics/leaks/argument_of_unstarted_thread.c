//! The argument of a thread that has not taken its first step is held by that thread.
//! expect: valid-memsafety true
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    free(arg);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, malloc(1));
    return 0;
}
