//! Each thread has its own value under a key, null at first.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x, y;

static void *child(void *arg) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, &y);
    assert(pthread_getspecific(key) == &y);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &x);
    pthread_create(&a, 0, child, 0);
    assert(pthread_getspecific(key) == &x);
    pthread_join(a, 0);
    assert(pthread_getspecific(key) == &x);
    return 0;
}
