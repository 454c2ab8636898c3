//! If pthread_tryjoin_np fails, the thread may be anywhere.
//! expect: unreach-call false
//! expect: no-data-race false
//! gcc: skip races
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    if (pthread_tryjoin_np(a, 0) != 0) {
        int seen = x; // violation: no-data-race
        assert(seen == 0); // violation: unreach-call
        pthread_join(a, 0);
    }
    return 0;
}
