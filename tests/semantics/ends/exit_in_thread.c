//! exit in any thread ends the process: nothing behind a join on that thread happens.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(0);
    return 0;
}
