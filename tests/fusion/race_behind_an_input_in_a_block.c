// The block accesses x only with one of the inputs: the race has to be replayed with that one.
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *thread0(void *argument) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    __VERIFIER_atomic_begin();
    int n = __VERIFIER_nondet_int();
    if (n == 1) x = 2;
    __VERIFIER_atomic_end();
    pthread_join(t0, 0);
    return 0;
}
