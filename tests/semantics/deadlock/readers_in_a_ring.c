//! Two readers that each want to write what the other reads block each other.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_rwlock_t k = PTHREAD_RWLOCK_INITIALIZER, l = PTHREAD_RWLOCK_INITIALIZER;

static void *child(void *arg) {
    pthread_rwlock_rdlock(&k);
    pthread_rwlock_wrlock(&l); // violation: no-deadlock
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&k);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&k); // violation: no-deadlock
    pthread_rwlock_unlock(&k);
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    return 0;
}
