//! Handlers given to atexit run in reverse order, also on exit from a thread.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void first(void) { assert(x == 1); }
static void second(void) { x++; }

static void *child(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t a;
    atexit(first);
    atexit(second);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
