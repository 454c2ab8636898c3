//! An access that no execution reaches does not race.
//! expect: no-data-race true
//! expect: unreach-call true
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a_in, b_in;
static int x;

static void *child(void *arg) {
    b_in = 1;
    if (!a_in)
        x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    a_in = 1;
    if (!b_in)
        x = 1;
    pthread_join(a, 0);
    return 0;
}
