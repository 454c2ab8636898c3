//! Once pthread_tryjoin_np works, everything the thread did has happened before.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-sync true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    void *result = 0;
    pthread_create(&a, 0, child, &x);
    if (pthread_tryjoin_np(a, &result) == 0) {
        assert(result == &x);
        assert(x == 1);
        return 0;
    }
    pthread_join(a, 0);
    assert(x == 1);
    return 0;
}
