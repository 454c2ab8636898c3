//! Reads of neighbouring bit-fields do not race.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 1, b : 1; } s = {1, 0};

static void *child(void *arg) {
    assert(s.a == 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    assert(s.b == 0);
    pthread_join(t, 0);
    return 0;
}
