//! The result of a thread function that has none is used to decide something.
//! expect: no-uninit false
#include <pthread.h>

static void worker(void *argument) { (void)argument; }

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, 0);
    pthread_join(thread, &result);
    if (result) // violation: no-uninit
        return 1;
    return 0;
}
