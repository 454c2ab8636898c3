//! Joining a detached thread is reported.
//! expect: valid-sync false
//! gcc: skip undefined behaviour
#include <pthread.h>

static void *child(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_detach(a);
    pthread_join(a, 0); // violation: valid-sync
    return 0;
}
