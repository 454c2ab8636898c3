//! The accesses of a failing iteration count: a plain read in a waiting loop races.
//! expect: no-data-race false
//! expect: unreach-call true
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int progress, seen;

static void *child(void *arg) {
    progress = 1; // violation: no-data-race
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    while (!ready)
        seen = progress; // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
