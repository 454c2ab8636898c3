//! An error of another thread that comes before exit is still found.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    exit(0);
}
