//! Thread-local objects end with their thread.
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int x, *p = &x;
static __thread int own;
void *gives(void *argument) { p = &own; return argument; }
void *writes(void *argument) { *p = 0; return argument; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, gives, 0);
    pthread_create(&u, 0, writes, 0);
    return 0;
}
