//! After main's pthread_exit the process ends with its last thread, as by exit: the handlers of atexit run.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void at_end(void) {
    assert(x == 0); // violation: unreach-call
}

static void *child(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    atexit(at_end);
    pthread_create(&a, 0, child, 0);
    pthread_exit(0);
}
