//! Leaks are judged at the end of the process: a program that blocks for ever has no end.
//! expect: valid-memsafety true
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lose(void) {
    int *p = malloc(sizeof *p);
    *p = 0;
}

int main(void) {
    lose();
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // violation: no-deadlock
    return 0;
}
