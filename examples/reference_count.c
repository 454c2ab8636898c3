//! A reference count that is decremented and tested in separate steps.
//!
//! The count is atomic, so nothing races on it, but `release` stores the decremented value and reads it
//! again on the `if` line. Two threads can both find zero and free the object twice; or both store the same
//! count, and nobody frees it. reference_count_fixed.c is the correct version.
//!
//! expect: valid-memsafety false
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int payload;
};

static void release(struct shared *object) {
    object->references = object->references - 1; // violation: valid-memsafety, no-data-race
    if (object->references == 0) // violation: valid-memsafety, no-data-race
        free(object); // violation: valid-memsafety, no-data-race
}

static void *worker(void *arg) {
    release(arg);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct shared *object = malloc(sizeof *object); // violation: valid-memsafety
    object->references = 2;
    object->payload = 7;
    pthread_create(&thread, 0, worker, object);
    release(object);
    pthread_join(thread, 0);
    return 0;
}
