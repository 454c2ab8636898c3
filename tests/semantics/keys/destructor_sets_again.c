//! If a destructor sets a value again, destructors run once more.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value, destroyed;

static void destructor(void *v) {
    if (++destroyed == 1)
        pthread_setspecific(key, v);
}

static void *child(void *arg) {
    pthread_setspecific(key, &value);
    pthread_exit(arg);
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, destructor);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(destroyed == 2);
    return 0;
}
