//! A thread started and joined inside a critical section may write what the section protects.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(x == 1); // violation: unreach-call
    pthread_mutex_unlock(&m);
    return 0;
}
