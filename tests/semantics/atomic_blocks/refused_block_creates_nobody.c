//! A block that cannot be completed has not happened, even what it created.
//! expect: unreach-call true
//! gcc: skip a started block cannot be undone
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int x;

static void *child(void *arg) {
    if (x == 1)
        reach_error();
    return arg;
}

int main(void) {
    pthread_t a;
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_create(&a, 0, child, 0);
    __VERIFIER_assume(x == 2);
    __VERIFIER_atomic_end();
    return 0;
}
