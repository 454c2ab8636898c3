//! A thread that nothing holds up may or may not have ended when pthread_tryjoin_np looks.
//! expect: unreach-call false
//! gcc: skip it fails by design
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    if (pthread_tryjoin_np(a, 0)) {
        assert(0); // violation: unreach-call
        pthread_join(a, 0);
    }
    return 0;
}
