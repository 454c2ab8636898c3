//! A block that ends the process has happened: what it raced with counts.
//! expect: no-data-race false
//! gcc: skip atomic blocks have no native counterpart
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
static int x;

static void *child(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    x = 1; // violation: no-data-race
    exit(0);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 2; // violation: no-data-race
    pthread_exit(0);
}
