//! A thread's destructor runs with its value, after the value was set to null, and before a join returns.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value, destroyed;

static void destructor(void *v) {
    assert(v == &value && pthread_getspecific(key) == 0);
    destroyed++;
}

static void *child(void *arg) {
    pthread_setspecific(key, &value);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, destructor);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(destroyed == 1);
    return 0;
}
