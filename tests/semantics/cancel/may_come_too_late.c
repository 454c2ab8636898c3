//! A thread that is cancelled may have ended before: then its result is its own.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static void *worker(void *argument) {
    pthread_testcancel();
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED); // violation: unreach-call
    return 0;
}
