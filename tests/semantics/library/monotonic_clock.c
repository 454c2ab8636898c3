//! The monotonic clock does not go backwards, whichever thread looks at it, and looking at it is no race.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec first;

static void *child(void *arg) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    assert(now.tv_sec > first.tv_sec || (now.tv_sec == first.tv_sec && now.tv_nsec >= first.tv_nsec));
    return arg;
}

int main(void) {
    pthread_t a;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &first);
    pthread_create(&a, 0, child, 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= first.tv_sec);
    pthread_join(a, 0);
    return 0;
}
