//! A thread function without a result, started by the library because there are keys: nothing is wrong as long as nobody uses the result.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-uninit true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value;

static void worker(void *argument) {
    pthread_setspecific(key, argument);
    assert(pthread_getspecific(key) == argument);
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, 0);
    if (pthread_create(&thread, 0, (void *(*)(void *))(void (*)(void))worker, &value))
        return 1;
    pthread_join(thread, 0);
    return 0;
}
