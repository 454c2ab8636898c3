//! Nobody passes a barrier before the last one has come, and what came before it is ordered before what follows.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x, y;

static void *child(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&a, 0, child, 0);
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(a, 0);
    return 0;
}
