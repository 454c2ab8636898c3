//! A timed lock on a held mutex may expire.
//! expect: unreach-call false
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    struct timespec soon = {0, 0};
    int answer = pthread_mutex_timedlock(&m, &soon);
    assert(answer == 0); // violation: unreach-call
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
