//! One thread does not wait for the other.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

_Atomic unsigned round_left, round_right;

void *left(void *arg) {
    for (;;) {
        round_left = round_left + 1;
        while (round_right == round_left + 7) {
        }
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        round_right = round_right + 1;
        unsigned ahead = round_right - round_left;
        assert(ahead == 0 || ahead == 1 || ahead == -1u);
        while (round_left == round_right - 1) {
        }
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
