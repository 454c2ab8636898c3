//! What a thread wrote before it ended without unlocking is there for whoever joins it.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(x != 2); // violation: unreach-call
    return 0;
}
