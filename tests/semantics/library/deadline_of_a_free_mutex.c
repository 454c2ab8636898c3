//! A free mutex is taken without a look at the deadline.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec until = {0, -1};
    assert(pthread_mutex_timedlock(&m, &until) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
