//! A loop that counts its iterations changes something: it is not a mere wait, any count is possible.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *child(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    int tries = 0;
    pthread_create(&a, 0, child, 0);
    while (!ready && tries < 3)
        tries++;
    assert(tries < 2); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
