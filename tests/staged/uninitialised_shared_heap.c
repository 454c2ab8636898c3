//! Heap memory that nobody wrote, read by another thread than its maker.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int *p;
void *makes(void *argument) { p = malloc(sizeof *p); return argument; }
void *reads(void *argument) { __VERIFIER_assert(*p != 1); return argument; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, makes, 0);
    pthread_create(&u, 0, reads, 0);
    return 0;
}
