//! A timed wait may expire at any time.
//! expect: unreach-call false
//! expect: no-deadlock true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&m);
    int answer = pthread_cond_timedwait(&c, &m, &soon);
    pthread_mutex_unlock(&m);
    assert(answer != ETIMEDOUT); // violation: unreach-call
    return 0;
}
