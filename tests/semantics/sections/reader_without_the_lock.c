//! Whoever reads without the lock sees what is overwritten before the section ends.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    assert(x != 1); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
