//! An error-checking mutex refuses to be locked again by its holder, and stays locked.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
