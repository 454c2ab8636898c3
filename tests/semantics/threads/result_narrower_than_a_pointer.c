//! A thread function that returns `int`, called through a pointer of another type: the low bits of the result arrive.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-memsafety true
#include <assert.h>
#include <pthread.h>

static int worker(void *argument) { return argument ? 7 : -3; }

int main(void) {
    pthread_t thread;
    void *result = 0;
    if (pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, 0))
        return 1;
    pthread_join(thread, &result);
    assert((int)(long)result == -3);
    return 0;
}
