//! A block whose assume holds already can come next, and so can a plain write of what it reads, also through a narrower type.
//! expect: no-data-race false
//! expect: unreach-call true
//! gcc: skip a started block cannot be undone
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int x;

static void *waits(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!*(unsigned char *)&x);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    *(unsigned char *)&x = 0;
    pthread_join(t, 0);
    return 0;
}
