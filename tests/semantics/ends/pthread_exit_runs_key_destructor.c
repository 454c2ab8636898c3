//! pthread_exit in main runs main's key destructors.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value;

static void destructor(void *v) {
    assert(v == 0); // violation: unreach-call
}

int main(void) {
    pthread_key_create(&key, destructor);
    pthread_setspecific(key, &value);
    pthread_exit(0);
}
