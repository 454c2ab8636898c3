//! A join that works answers 0, so what is done about its failure is never done.
//! expect: unreach-call true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) { return arg; }

static void join(pthread_t thread) {
    if (pthread_join(thread, 0) != 0)
        assert(0);
}

int main(void) {
    pthread_t a, b;
    if (pthread_create(&a, 0, child, 0) != 0)
        exit(1);
    if (pthread_create(&b, 0, child, 0) != 0)
        exit(1);
    join(b);
    join(a);
    return 0;
}
