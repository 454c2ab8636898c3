//! errno is an object per thread.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *child(void *arg) {
    errno = 1;
    assert(errno == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    errno = 0;
    pthread_create(&a, 0, child, 0);
    assert(errno == 0);
    pthread_join(a, 0);
    return 0;
}
