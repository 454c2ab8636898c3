//! A loop of timed waits on something that never happens spins; it is not a deadlock, and nothing behind it happens.
//! expect: no-deadlock true
//! expect: unreach-call true
//! gcc: skip does not terminate
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

int main(void) {
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_timedwait(&c, &m, &soon);
    assert(0);
    return 0;
}
