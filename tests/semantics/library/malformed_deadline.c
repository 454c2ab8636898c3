//! A deadline has less than a thousand million nanoseconds.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    struct timespec until = {0, 1000000000};
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &until) == EINVAL);
    assert(pthread_mutex_timedlock(&m, &until) == EINVAL);
    pthread_mutex_unlock(&m);
    assert(pthread_rwlock_timedrdlock(&l, &until) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&l, &until) == EINVAL);
    return 0;
}
