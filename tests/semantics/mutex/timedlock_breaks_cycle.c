//! A thread in a timed lock is not blocked for ever: no deadlock, even when nobody unlocks.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec past = {0, 0};
    pthread_mutex_lock(&m);
    assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
    return 0;
}
