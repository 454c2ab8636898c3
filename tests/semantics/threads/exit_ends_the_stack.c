//! pthread_exit ends the thread's stack objects, and that is a write others can race with.
//! expect: no-data-race false
//! expect: unreach-call false
//! gcc: skip uses a dead stack
#include <pthread.h>

extern void reach_error(void);
static int *_Atomic shown;

static void *child(void *arg) {
    int local = 7;
    shown = &local;
    pthread_exit(arg); // violation: no-data-race
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
