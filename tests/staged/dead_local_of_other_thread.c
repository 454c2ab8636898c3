//! A pointer to a local of a thread that has ended dangles.
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int x, *p = &x;
void *reads(void *argument) { int i = *p; (void)i; return argument; }
void *gives(void *argument) { int gone = 0; p = &gone; return argument; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reads, 0);
    pthread_create(&u, 0, gives, 0);
    return 0;
}
