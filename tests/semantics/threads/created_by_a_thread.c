//! A thread can create and join threads of its own; the order goes through all of them.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int x;

static void *grandchild(void *arg) {
    x++;
    return arg;
}

static void *child(void *arg) {
    pthread_t b;
    x++;
    pthread_create(&b, 0, grandchild, 0);
    pthread_join(b, 0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
