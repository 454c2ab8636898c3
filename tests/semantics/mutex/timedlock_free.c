//! A timed lock on a free mutex takes it, whatever the time.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec past = {0, 0};
    assert(pthread_mutex_timedlock(&m, &past) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
