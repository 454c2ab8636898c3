//! A failed compare-and-swap changes `expected`: a spin lock that does not reset it lets the second thread in.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void *child(void *arg) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1))
        ;
    x++; // violation: no-data-race
    lock = 0;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2); // violation: unreach-call
    return 0;
}
