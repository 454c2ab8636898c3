//! A second join has no result.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int x;
void *child(void *argument) { (void)argument; x = 1; return &x; }
int main(void) {
    pthread_t t;
    void *r = 0;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    pthread_join(t, &r);
    __VERIFIER_assert(r != 0);
    return 0;
}
