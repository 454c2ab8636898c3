//! Memory that was perhaps not written before another thread reads it.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);

int s;
void *child(void *argument) { s = *(int *)argument; return 0; }
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_int())
        *p = 3;
    pthread_create(&t, 0, child, p);
    pthread_join(t, 0);
    __VERIFIER_assert(s != 5);
    return 0;
}
