//! An error-checking mutex refuses to be unlocked by anyone but its holder: that is an answer, not a violation.
//! expect: unreach-call true
//! expect: valid-sync true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *child(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    assert(pthread_mutex_unlock(&m) == EPERM);
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
