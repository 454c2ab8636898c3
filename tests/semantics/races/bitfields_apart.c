//! A zero-width bit-field or another member between them separates bit-fields.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 1; unsigned : 0; unsigned b : 1; char c; unsigned d : 1; } s;

static void *child(void *arg) {
    s.a = 1;
    s.c = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    s.b = 1;
    s.d = 1;
    pthread_join(t, 0);
    assert(s.a && s.b && s.c && s.d);
    return 0;
}
