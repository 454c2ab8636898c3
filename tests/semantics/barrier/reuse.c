//! A barrier can be used again at once: a fast thread in the second round does not run into the first.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x;

static void *child(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&a, 0, child, 0);
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_barrier_wait(&b);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
