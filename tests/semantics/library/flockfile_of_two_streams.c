//! Each stream has a lock of its own.
//! expect: no-data-race false
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *work(void *argument) {
    flockfile(stderr);
    lines++; // violation: no-data-race
    funlockfile(stderr);
    return argument;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    flockfile(stdout);
    lines++; // violation: no-data-race
    funlockfile(stdout);
    pthread_join(other, 0);
    return 0;
}
