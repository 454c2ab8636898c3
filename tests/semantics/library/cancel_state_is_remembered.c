//! Every thread has a cancelability state of its own, which is given back when it is set.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) {
    int old = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    return arg;
}

int main(void) {
    pthread_t a;
    int old = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    return 0;
}
