//! The static initialiser of a recursive mutex works like the attribute, trylock included.
//! expect: no-deadlock true
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
