//! Each thread adds one and takes it back, for ever: the sum stays between none and both.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

_Atomic int sum;

void *left(void *arg) {
    for (;;) {
        sum += 1;
        assert(sum >= 1 && sum <= 2);
        sum -= 1;
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        sum += 1;
        assert(sum >= 1 && sum <= 2);
        sum -= 1;
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
