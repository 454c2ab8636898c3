//! The result of a thread function that has none is fetched and never looked at.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int done;

static void worker(void *argument) {
    (void)argument;
    done = 1;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, 0);
    pthread_join(thread, 0);
    assert(done);
    return 0;
}
