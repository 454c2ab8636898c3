//! pthread_tryjoin_np does not wait.
//! expect: unreach-call false
//! gcc: skip depends on time
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int error = pthread_tryjoin_np(a, 0);
    assert(error == 0); // violation: unreach-call
    return 0;
}
