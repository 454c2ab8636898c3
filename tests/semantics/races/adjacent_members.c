//! Adjacent members that are not bit-fields are separate locations.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static struct { char a, b; short c; } s;

static void *child(void *arg) {
    s.a = 1;
    s.c = 3;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    s.b = 2;
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 2 && s.c == 3);
    return 0;
}
