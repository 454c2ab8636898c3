//! `flockfile` is a lock, and the thread that has it may take it again.
//! expect: no-data-race true
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *work(void *argument) {
    flockfile(stdout);
    flockfile(stdout);
    lines++;
    funlockfile(stdout);
    lines++;
    funlockfile(stdout);
    return argument;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    assert(lines == 4);
    return 0;
}
