//! A join on the child says nothing about the grandchild.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static int x;

static void *grandchild(void *arg) {
    x++; // violation: no-data-race
    return arg;
}

static void *child(void *arg) {
    pthread_t b;
    x++;
    pthread_create(&b, 0, grandchild, 0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call, no-data-race
    return 0;
}
