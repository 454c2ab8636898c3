//! The lock is a guarded action, "when no writer is inside": a waiting writer does not keep a second read lock out.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    return 0;
}
