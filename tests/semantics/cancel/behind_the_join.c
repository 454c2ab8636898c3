//! What a thread that is cancelled has written is seen behind its join, without a race.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int count;

static void *worker(void *argument) {
    count = 1;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    count = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(count == 1);
    return 0;
}
