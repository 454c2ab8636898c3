//! A lock that the writer does not take keeps nobody out, although the writer takes one, too.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&n);
    int before = x; // violation: no-data-race
    assert(x == before); // violation: unreach-call, no-data-race
    pthread_mutex_unlock(&n);
    pthread_join(a, 0);
    return 0;
}
