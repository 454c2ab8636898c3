//! The writer makes the number even too early.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

_Atomic unsigned sequence;
_Atomic int first, second;

void *left(void *arg) {
    // A number that came round would look unchanged.
    while (sequence < 4000000000u) {
        int value = __VERIFIER_nondet_int();
        sequence = sequence + 1;
        first = value;
        sequence = sequence + 1;
        second = value;
    }
    return arg;
}

void *right(void *arg) {
    unsigned before;
    int x, y;
    do {
        before = sequence;
        x = first;
        y = second;
    } while (before % 2 != 0 || sequence != before);
    assert(x == y);
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
