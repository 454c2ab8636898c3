//! A key that was not created takes no value.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

int main(void) {
    assert(pthread_setspecific(key, &x) == EINVAL);
    assert(pthread_getspecific(key) == 0);
    return 0;
}
