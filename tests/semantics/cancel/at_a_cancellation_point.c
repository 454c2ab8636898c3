//! A cancelled thread ends at its next cancellation point; its result is PTHREAD_CANCELED.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

static void *worker(void *argument) {
    for (;;)
        pthread_testcancel();
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    if (pthread_cancel(thread))
        return 1;
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
