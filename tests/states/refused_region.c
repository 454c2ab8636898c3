//! A region that is refused has looked at what it was refused for.
//! expect: no-data-race false
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static int x;

static void *write_it(void *argument) {
    x = 1;
    return argument;
}

static void *wait_for_it(void *argument) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x < 1);
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write_it, 0);
    pthread_create(&b, 0, wait_for_it, 0);
    return 0;
}
