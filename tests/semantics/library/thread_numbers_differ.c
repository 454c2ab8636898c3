//! Threads that live at the same time have different numbers.
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first;

static void *child(void *arg) {
    assert(gettid() != first);
    return arg;
}

int main(void) {
    pthread_t a;
    first = gettid();
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
