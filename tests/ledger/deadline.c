//! A wait with a deadline: no engine alone proves every property, all of them together do.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *setter(void *arg) {
    pthread_mutex_lock(&lock);
    value = 7;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_create(&thread, 0, setter, 0);
    pthread_mutex_lock(&lock);
    while (!ready && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&changed, &lock, &until);
    assert(!ready || value == 7);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
