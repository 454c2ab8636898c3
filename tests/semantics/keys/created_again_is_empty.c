//! A key that is created again shows no value of its earlier life.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x;

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &x);
    pthread_key_delete(key);
    pthread_key_create(&key, 0);
    assert(pthread_getspecific(key) == 0);
    return 0;
}
