//! A second unlock of a normal mutex succeeds and leaves it free; it is a misuse all the same.
//! expect: unreach-call true
//! expect: valid-sync false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0); // violation: valid-sync
    assert(pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
