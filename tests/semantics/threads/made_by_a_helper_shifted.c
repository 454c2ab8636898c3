//! The caller gives the second element to the function that makes the threads, and joins from the first on.
//! expect: no-data-race false
#include <pthread.h>

static int total;

static void *nothing(void *arg) { return arg; }

static void *work(void *arg) {
    total = 1; // violation: no-data-race
    return arg;
}

static void start(pthread_t *t) {
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, 0);
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, nothing, 0);
    start(t + 1);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    total = 5; // violation: no-data-race
    pthread_join(t[1], 0);
    return 0;
}
