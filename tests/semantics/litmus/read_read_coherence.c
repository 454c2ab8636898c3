//! CoRR: a thread that saw the new value does not see the old one afterwards.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
    x = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int first = x;
    int second = x;
    assert(first <= second);
    pthread_join(a, 0);
    return 0;
}
