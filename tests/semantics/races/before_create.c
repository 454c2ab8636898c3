//! What main does before it creates the thread cannot come next together with what the thread does.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    assert(x == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    x = 1;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
