//! A thread can be created detached; it is ordered after its creation as any other.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    assert(x == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    x = 1;
    pthread_create(&a, &attr, child, 0);
    pthread_attr_destroy(&attr);
    return 0;
}
