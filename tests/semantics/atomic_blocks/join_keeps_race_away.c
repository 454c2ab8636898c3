//! An atomic block that joins a thread further on can only come next when that thread has ended: nothing races.
//! expect: no-data-race true
//! gcc: skip the block is no step of a native run
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *child(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    __VERIFIER_atomic_begin();
    x += 1;
    pthread_join(t, NULL);
    __VERIFIER_atomic_end();
    return 0;
}
