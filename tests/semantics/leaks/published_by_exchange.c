//! With compare-and-swap the loser frees its own object: no interleaving leaks.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *get(void *arg) {
    int *mine = malloc(sizeof *mine), *none = 0;
    if (!atomic_compare_exchange_strong(&instance, &none, mine))
        free(mine);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    get(0);
    pthread_join(a, 0);
    free(instance);
    return 0;
}
