//! A write under a read lock races with a read under a read lock.
//! expect: no-data-race false
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *lookup(void *arg) {
    pthread_rwlock_rdlock(&l);
    hits++; // violation: no-data-race
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, lookup, 0);
    lookup(0);
    pthread_join(a, 0);
    assert(hits == 2); // violation: unreach-call
    return 0;
}
