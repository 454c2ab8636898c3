//! pthread_tryjoin_np that succeeds has joined the thread; otherwise it says EBUSY.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-sync true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    void *result = &x;
    pthread_create(&a, 0, child, 0);
    int error = pthread_tryjoin_np(a, &result);
    if (error == 0) {
        assert(x == 1 && result == 0);
    } else {
        assert(error == EBUSY);
        pthread_join(a, 0);
    }
    return 0;
}
