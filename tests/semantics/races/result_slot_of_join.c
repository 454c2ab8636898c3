//! The result that join stores is written by the joining thread.
//! expect: no-data-race false
#include <pthread.h>

static void *result;
static pthread_t worker;

static void *work(void *arg) { return arg; }

static void *peek(void *arg) {
    return result == arg ? arg : 0; // violation: no-data-race
}

int main(void) {
    pthread_t t;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&t, 0, peek, 0);
    pthread_join(worker, &result); // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
