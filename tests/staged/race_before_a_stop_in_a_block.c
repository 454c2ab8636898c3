//! A thread that stops inside an atomic block has made the accesses before.
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int y, *p;
void *clears(void *argument) { p = 0; return argument; }
void *block(void *argument) {
    __VERIFIER_atomic_begin();
    p = *p == 0 ? 0 : &y;
    __VERIFIER_atomic_end();
    return argument;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, clears, 0);
    pthread_create(&u, 0, block, 0);
    return 0;
}
