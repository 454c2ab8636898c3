//! Destroying a condition variable races with its use.
//! expect: no-data-race false
#include <pthread.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *child(void *arg) {
    pthread_cond_signal(&c); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_cond_destroy(&c); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
