//! A value is gone once its key had its turn, also if the key has no destructor.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_key_t plain, watched;
static int x;

static void destructor(void *value) {
    (void)value;
    assert(pthread_getspecific(plain) == 0);
}

static void *child(void *arg) {
    pthread_setspecific(plain, &x);
    pthread_setspecific(watched, &x);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&plain, 0);
    pthread_key_create(&watched, destructor);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
