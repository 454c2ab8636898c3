//! Each call has its own locals, in every thread.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int depth_sum(int n) {
    int here = n;
    int below = n ? depth_sum(n - 1) : 0;
    assert(here == n);
    return here + below;
}

static void *child(void *arg) {
    assert(depth_sum(3) == 6);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    assert(depth_sum(2) == 3);
    pthread_join(a, 0);
    return 0;
}
