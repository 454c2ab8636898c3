//! The ticket is drawn in two steps.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

_Atomic unsigned next_ticket, served;
_Atomic int inside;

void *left(void *arg) {
    for (;;) {
        unsigned mine = next_ticket;
        next_ticket = mine + 1;
        while (served != mine) {
        }
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        served = mine + 1;
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        unsigned mine = next_ticket;
        next_ticket = mine + 1;
        while (served != mine) {
        }
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        served = mine + 1;
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
