//! A thread-local object ends with its thread, and that is a write others can race with.
//! expect: no-data-race false
//! expect: unreach-call false
//! gcc: skip uses a dead object
#include <pthread.h>

extern void reach_error(void);
static _Thread_local int own = 7;
static int *_Atomic shown;

static void *child(void *arg) {
    shown = &own;
    return arg; // violation: no-data-race
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int *p = shown;
    if (p && *p == 7) // violation: no-data-race
        reach_error(); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
