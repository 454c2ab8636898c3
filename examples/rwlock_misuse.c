//! A cache that counts its hits under the read lock.
//!
//! Looking up needs only the read lock, but `hits++` writes. Two readers hold the lock at the same
//! time, so the increment races and hits get lost. rwlock_misuse_fixed.c is the correct version.
//!
//! expect: no-data-race false
//! expect: unreach-call false
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached_value = 7;
static int hits;

static int lookup(void) {
    pthread_rwlock_rdlock(&lock);
    int value = cached_value;
    hits++; // violation: no-data-race
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *reader(void *arg) {
    lookup();
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(hits == 2); // violation: unreach-call
    return 0;
}
