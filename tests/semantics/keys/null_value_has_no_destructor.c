//! No destructor runs for a value that is null, nor for a deleted key.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_key_t null_key, deleted_key;
static int value;

static void destructor(void *v) { assert(v == 0 && v != 0); }

static void *child(void *arg) {
    pthread_setspecific(null_key, &value);
    pthread_setspecific(null_key, 0);
    pthread_setspecific(deleted_key, &value);
    pthread_key_delete(deleted_key);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&null_key, destructor);
    pthread_key_create(&deleted_key, destructor);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
