//! The try variants fail with EBUSY exactly when the lock could not be taken at once.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *beside_reader(void *arg) {
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *beside_writer(void *arg) {
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_rwlock_rdlock(&l);
    pthread_create(&a, 0, beside_reader, 0);
    pthread_join(a, 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_create(&a, 0, beside_writer, 0);
    pthread_join(a, 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
