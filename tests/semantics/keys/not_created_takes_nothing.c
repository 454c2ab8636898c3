//! Without creation there is no value in a key.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

int main(void) {
    pthread_setspecific(key, &x);
    assert(pthread_getspecific(key) == &x); // violation: unreach-call
    return 0;
}
