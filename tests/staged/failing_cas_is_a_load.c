//! A compare-and-swap that fails writes nothing.
//! expect: no-data-race true
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

int x = 1;
void *child(void *argument) {
    int expected = 0;
    __atomic_compare_exchange_n(&x, &expected, 0, 0, 5, 5);
    return argument;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    int y = x;
    (void)y;
    return 0;
}
