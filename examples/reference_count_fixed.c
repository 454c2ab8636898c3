//! A reference count that is decremented and tested in one step: exactly one thread frees the object.
//!
//! expect: valid-memsafety true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int payload;
};

static void release(struct shared *object) {
    assert(object->payload == 7);
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
}

static void *worker(void *arg) {
    release(arg);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct shared *object = malloc(sizeof *object);
    object->references = 2;
    object->payload = 7;
    pthread_create(&thread, 0, worker, object);
    release(object);
    pthread_join(thread, 0);
    return 0;
}
