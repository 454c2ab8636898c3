//! Destroying what was initialised and never used is no misuse, however it was initialised.
//! expect: valid-sync true
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t zero;
pthread_mutex_t constant = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_t local, *allocated = malloc(sizeof *allocated);
    pthread_mutex_init(&local, 0);
    pthread_mutex_init(allocated, 0);
    pthread_mutex_destroy(&zero);
    pthread_mutex_destroy(&constant);
    pthread_mutex_destroy(&local);
    pthread_mutex_destroy(allocated);
    free(allocated);
    return 0;
}
