//! Accesses by two names of one variable race.
//! expect: no-data-race false
//! gcc: skip races
#include <pthread.h>

int first;
extern int second __attribute__((alias("first")));

static void *child(void *arg) {
    second = 2; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    first = 1; // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
