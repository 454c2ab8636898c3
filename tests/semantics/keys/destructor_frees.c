//! A destructor that frees the thread's value: no leak after the join, no use after free.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *child(void *arg) {
    int *own = malloc(sizeof *own);
    *own = 1;
    pthread_setspecific(key, own);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
