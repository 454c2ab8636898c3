//! A thread function without a result ends by pthread_exit: that is its result.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int value;

static void worker(void *argument) { pthread_exit(argument); }

int main(void) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, &value))
        return 1;
    pthread_join(thread, &result);
    assert(result == &value);
    return 0;
}
