//! Accesses that an atomic flag puts in order cannot both come next: no race, though no lock is held.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int x;

static void *child(void *arg) {
    if (turn == 1) {
        x++;
        turn = 2;
    }
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 5;
    turn = 1;
    if (turn == 2)
        assert(x == 6);
    pthread_join(a, 0);
    return 0;
}
