//! Destroying what was initialised and never used is no misuse, however it was initialised.
//! expect: valid-sync true
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t zero;
pthread_rwlock_t constant = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_t local, *allocated = malloc(sizeof *allocated);
    pthread_rwlock_init(&local, 0);
    pthread_rwlock_init(allocated, 0);
    pthread_rwlock_destroy(&zero);
    pthread_rwlock_destroy(&constant);
    pthread_rwlock_destroy(&local);
    pthread_rwlock_destroy(allocated);
    free(allocated);
    return 0;
}
