//! Double-checked locking on an atomic pointer: the contents are complete before the pointer is seen.
//!
//! expect: no-data-race true
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int verbosity;
};

static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void) {
    struct config *found = atomic_load(&instance);
    if (!found) {
        pthread_mutex_lock(&lock);
        found = atomic_load(&instance);
        if (!found) {
            found = malloc(sizeof *found);
            found->verbosity = 3;
            atomic_store(&instance, found);
        }
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void *worker(void *arg) {
    assert(get_config()->verbosity == 3);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(atomic_load(&instance));
    return 0;
}
