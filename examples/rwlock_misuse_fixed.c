//! A cache whose hit counter is atomic: the read lock protects the value, the counter protects itself.
//!
//! expect: no-data-race true
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached_value = 7;
static atomic_int hits;

static int lookup(void) {
    pthread_rwlock_rdlock(&lock);
    int value = cached_value;
    atomic_fetch_add(&hits, 1);
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *reader(void *arg) {
    int value = lookup();
    assert(value == 7 || value == 8);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_rwlock_wrlock(&lock);
    cached_value = 8;
    pthread_rwlock_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(hits == 2);
    return 0;
}
