//! A thread that an exit handler waits for may find the variables of `main` gone.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>
#include <stdlib.h>

static pthread_t worker;

static void wait_for_it(void) { pthread_join(worker, 0); }

static void *work(void *argument) {
    *(int *)argument = 1; // violation: valid-memsafety
    return 0;
}

int main(void) {
    int local;
    atexit(wait_for_it);
    pthread_create(&worker, 0, work, &local);
    return 0;
}
