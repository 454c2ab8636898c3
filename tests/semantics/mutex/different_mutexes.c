//! Two mutexes do not exclude each other.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x++; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&n);
    x++; // violation: no-data-race
    pthread_mutex_unlock(&n);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
