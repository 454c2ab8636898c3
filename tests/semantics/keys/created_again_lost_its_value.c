//! A value does not outlive its key.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static int x;

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &x);
    pthread_key_delete(key);
    pthread_key_create(&key, 0);
    assert(pthread_getspecific(key) == &x); // violation: unreach-call
    return 0;
}
