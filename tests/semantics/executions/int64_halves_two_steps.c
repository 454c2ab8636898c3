//! Two 32-bit stores into the halves of a 64-bit object are two steps: a 64-bit read may fall between them.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union { int64_t whole; int32_t half[2]; } x;

static void *writer(void *arg) {
    x.half[0] = -1; // violation: no-data-race
    x.half[1] = -1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int64_t seen = x.whole; // violation: no-data-race
    assert(seen == 0 || seen == -1); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
