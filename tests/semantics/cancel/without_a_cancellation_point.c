//! A thread without a cancellation point is cancelled: it goes on to its end, and its result is its own.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static volatile int rounds;

static void *worker(void *argument) {
    for (int i = 0; i < 3; i++)
        rounds++;
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(rounds == 3 && !result);
    return 0;
}
