//! A detached thread goes on after main's pthread_exit, and need not be joined.
//! expect: unreach-call false
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) {
    pthread_detach(pthread_self());
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_exit(0);
}
