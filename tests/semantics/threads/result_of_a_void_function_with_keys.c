//! The result of a thread function that has none, started by the library because there are keys, is any value.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void worker(void *argument) { pthread_setspecific(key, argument); }

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, 0);
    if (pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, 0))
        return 1;
    pthread_join(thread, &result);
    assert(!result); // violation: unreach-call
    return 0;
}
