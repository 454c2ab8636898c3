//! Any thread may join, not only the creator; the order goes through the joiner.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_t worker;
static int x;

static void *work(void *arg) {
    x = 1;
    return arg;
}

static void *collect(void *arg) {
    pthread_join(worker, 0);
    assert(x == 1);
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&a, 0, collect, 0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
