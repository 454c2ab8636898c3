//! Double-checked locking on a plain pointer.
//!
//! The first look at `instance` happens without the lock while another thread may be storing it: a
//! data race. With real compilers and processors the reader can get the pointer before the contents it points to.
//! double_checked_locking_fixed.c is the correct version.
//!
//! expect: no-data-race false
//! expect: no-deadlock true
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct config {
    int verbosity;
};

static struct config *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void) {
    if (!instance) { // violation: no-data-race
        pthread_mutex_lock(&lock);
        if (!instance) {
            struct config *fresh = malloc(sizeof *fresh);
            fresh->verbosity = 3;
            instance = fresh; // violation: no-data-race
        }
        pthread_mutex_unlock(&lock);
    }
    return instance; // violation: no-data-race
}

static void *worker(void *arg) {
    printf("verbosity %d\n", get_config()->verbosity);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(instance);
    return 0;
}
