//! Half a second more than now is no deadline without a carry.
//! expect: unreach-call false
//! gcc: skip depends on time
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    pthread_mutex_lock(&m);
    int result = pthread_cond_timedwait(&c, &m, &until);
    pthread_mutex_unlock(&m);
    assert(result != EINVAL); // violation: unreach-call
    return 0;
}
