//! A recursive mutex refuses to be unlocked by a thread that does not hold it: that is an answer, not a violation.
//! expect: unreach-call true
//! expect: valid-sync true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *child(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
