//! A bit-field that fills its bytes is stored without a load: its neighbour in another byte keeps its value.
//! expect: unreach-call true
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 8, b : 8; } s;

static void *worker(void *arg) {
    s.a = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 2; // violation: no-data-race
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 2);
    return 0;
}
