//! Two waiters with deadlines and one setter.
#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *waiter(void *arg) {
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&lock);
    while (!ready && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&changed, &lock, &until);
    assert(!ready || value == 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    value = 3;
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    return 0;
}
