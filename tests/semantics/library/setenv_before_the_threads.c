//! What was set before is found by all threads.
//! expect: no-data-race true
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    char *value = getenv("A");
    assert(value && value[0] == '1' && !value[1]);
    return arg;
}

int main(void) {
    pthread_t a;
    setenv("A", "1", 1);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
