//! A cancellation point between two writes: the thread may end with one of them done.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first, second;

static void *worker(void *argument) {
    first = 1;
    usleep(1);
    second = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    assert(first == second); // violation: unreach-call
    return 0;
}
