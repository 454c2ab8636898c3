//! A store to a bit-field is a load and a store of its byte: a write of the byte between them is lost.
//! expect: unreach-call false
//! gcc: skip a native run hardly ever loses the update
#include <assert.h>
#include <pthread.h>

static union { struct { unsigned char low : 4, high : 4; } f; unsigned char byte; } u;

static void *worker(void *arg) {
    u.f.low = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    u.byte = 0xf0;
    pthread_join(t, 0);
    assert(u.f.high == 15); // violation: unreach-call
    return 0;
}
