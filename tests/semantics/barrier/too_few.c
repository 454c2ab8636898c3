//! A barrier for more threads than there are blocks everyone.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_barrier_t b;

static void *child(void *arg) {
    pthread_barrier_wait(&b); // violation: no-deadlock
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&a, 0, child, 0);
    pthread_barrier_wait(&b); // violation: no-deadlock
    pthread_join(a, 0);
    return 0;
}
