//! A write that happens only sometimes leaves either value behind.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    if (y)
        x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    y = 1;
    assert(x != 1); // violation: unreach-call
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    assert(x == 1 || x == 2);
    return 0;
}
