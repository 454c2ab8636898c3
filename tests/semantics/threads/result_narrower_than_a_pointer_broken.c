//! The result of a thread function that returns `int` is not that of the other branch.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int worker(void *argument) { return argument ? 7 : -3; }

int main(void) {
    pthread_t thread;
    void *result = 0;
    if (pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, 0))
        return 1;
    pthread_join(thread, &result);
    assert((int)(long)result == 7); // violation: unreach-call
    return 0;
}
