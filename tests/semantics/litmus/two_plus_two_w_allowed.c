//! 2+2W: the two second stores may both be the last; a total write order per location is needed, not one for all.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *left(void *arg) {
    x = 1;
    y = 2;
    return arg;
}

static void *right(void *arg) {
    y = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(x == 2 && y == 2)); // violation: unreach-call
    return 0;
}
