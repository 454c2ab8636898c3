//! A key that was deleted takes no value, and its destructor does not run.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key, other;
static int ran;

static void destructor(void *value) {
    (void)value;
    ran++;
}

static void *child(void *arg) {
    pthread_setspecific(other, &ran);
    pthread_key_delete(other);
    assert(pthread_setspecific(key, &ran) == EINVAL);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, destructor);
    pthread_key_create(&other, destructor);
    pthread_key_delete(key);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(ran == 0);
    return 0;
}
