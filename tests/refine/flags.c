//! Two threads take turns by flags, for ever: the one that is inside is alone.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

_Atomic int wants_left, wants_right, turn, inside;

void *left(void *arg) {
    for (;;) {
        wants_left = 1;
        turn = 1;
        while (wants_right && turn == 1) {
        }
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        wants_left = 0;
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        wants_right = 1;
        turn = 0;
        while (wants_left && turn == 0) {
        }
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        wants_right = 0;
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
