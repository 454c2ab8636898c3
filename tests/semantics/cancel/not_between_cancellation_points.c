//! Between two cancellation points nothing is left half done.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first, second;

static void *worker(void *argument) {
    usleep(1);
    first = 1;
    second = 1;
    usleep(1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    assert(first == second);
    return 0;
}
