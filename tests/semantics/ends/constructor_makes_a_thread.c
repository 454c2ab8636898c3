//! A thread that a constructor makes runs beside `main`.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_t thread;

static void *writes(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

__attribute__((constructor)) static void starts(void) { pthread_create(&thread, 0, writes, 0); }

int main(void) {
    assert(x == 0); // violation: unreach-call, no-data-race
    pthread_join(thread, 0);
    return 0;
}
