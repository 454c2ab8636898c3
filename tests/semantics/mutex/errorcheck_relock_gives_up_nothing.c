//! A second lock of an error-checking mutex fails and takes nothing, so one unlock releases it.
//! expect: no-data-race false
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void *one(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 1; // violation: no-data-race
    return arg;
}

static void *two(void *arg) {
    pthread_mutex_lock(&m);
    x = 2; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &kind);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
