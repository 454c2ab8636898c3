//! The right side of `&&` is not read when the left side is false: the guard keeps the two accesses apart.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *writer(void *arg) {
    data = 1;
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    assert(!(ready && data != 1));
    pthread_join(a, 0);
    return 0;
}
