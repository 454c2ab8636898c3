//! Two reads of the same variable in one expression are two steps: they may see different values.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    assert(x == x); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
