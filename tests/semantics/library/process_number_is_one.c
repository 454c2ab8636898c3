//! The number of the process is positive and the same in all its threads; the first thread has it, too.
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first;

static void *child(void *arg) {
    assert(getpid() == first);
    return arg;
}

int main(void) {
    pthread_t a;
    first = getpid();
    assert(first > 0);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(gettid() == getpid());
    return 0;
}
