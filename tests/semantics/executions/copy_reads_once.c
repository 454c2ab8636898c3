//! A value copied into a local is read once, whatever other threads do afterwards.
//! expect: unreach-call true
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
    int r = x;
    assert(r == r && (r == 0 || r == 1));
    pthread_join(a, 0);
    return 0;
}
