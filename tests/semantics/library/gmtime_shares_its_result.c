//! gmtime has one result for all threads.
//! expect: no-data-race false
#include <pthread.h>
#include <time.h>

static void *child(void *arg) {
    time_t t = 0;
    gmtime(&t); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
