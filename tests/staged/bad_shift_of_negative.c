//! A shift by a bad amount is no overflow, whatever is shifted.
//! expect: no-overflow true
//! expect: no-bad-shift false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_bool() ? -5 : 0;
    int y = x << x;
    return y != 0;
}
