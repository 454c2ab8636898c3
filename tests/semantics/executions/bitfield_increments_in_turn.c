//! Increments of a bit-field one after the other all count.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static struct { unsigned n : 3, m : 3; } s = {0, 5};

static void *worker(void *arg) {
    s.n++;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    s.n++;
    assert(s.m == 5 && s.n >= 1);
    assert(s.n == 2);
    return 0;
}
