//! Different bytes of a union do not overlap.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static union { int number; char text[4]; } u;

static void *child(void *arg) {
    u.text[0] = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    u.text[1] = 1;
    pthread_join(t, 0);
    assert(u.number == 0x101);
    return 0;
}
