//! A structure is copied into the heap while one of two threads may hold its lock: the copy may be unlocked without having been locked.
//! expect: valid-sync false
//! gcc: skip the copy is unlocked without complaint
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *argument) {
    pthread_mutex_t *copy = malloc(sizeof *copy);
    pthread_mutex_lock(&lock);
    memcpy(copy, &lock, sizeof *copy);
    pthread_mutex_unlock(&lock);
    if (pthread_mutex_trylock(copy) != 0)
        pthread_mutex_unlock(copy); // violation: valid-sync
    free(copy);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, holds, 0);
    pthread_join(thread, 0);
    return 0;
}
