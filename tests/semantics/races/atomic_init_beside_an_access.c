//! `atomic_init` is no atomic access: it races with every other one.
//! expect: no-data-race false
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int count;

static void *adds(void *argument) {
    count++; // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, adds, 0);
    atomic_init(&count, 0); // violation: no-data-race
    pthread_join(thread, 0);
    return 0;
}
