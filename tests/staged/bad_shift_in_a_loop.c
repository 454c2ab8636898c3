//! Only bad shifts have arbitrary results.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int z = 0, n = 0;
    for (int k = 0; k < 2; k++) {
        _Bool b = __VERIFIER_nondet_bool();
        n += b;
        z = 1 << (b ? 40 : 1);
    }
    __VERIFIER_assert(!(z == 7 && n == 1));
    return 0;
}
