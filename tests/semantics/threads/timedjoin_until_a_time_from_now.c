//! A deadline made from the clock: whatever the time is, the thread is joined in the end.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int x;

static void *child(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    struct timespec deadline;
    pthread_create(&a, 0, child, 0);
    clock_gettime(CLOCK_REALTIME, &deadline);
    int code = pthread_timedjoin_np(a, 0, &deadline);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == ETIMEDOUT)
        pthread_join(a, 0);
    assert(x == 1);
    return 0;
}
