//! An increment of a bit-field is no single step, and changes nothing but this field if nobody interferes.
//! expect: unreach-call false
//! gcc: skip a native run hardly ever loses the update
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
    s.n++;
    pthread_join(t, 0);
    assert(s.m == 5 && s.n >= 1);
    assert(s.n == 2); // violation: unreach-call
    return 0;
}
