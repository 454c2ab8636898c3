//! Each thread has its own thread-local object, starting at the initial value.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 5;
static __thread int zero;

static void *child(void *arg) {
    assert(counter == 5 && zero == 0 && arg != &counter);
    counter++;
    return arg;
}

int main(void) {
    pthread_t a;
    counter = 7;
    zero = 1;
    pthread_create(&a, 0, child, &counter);
    counter++;
    pthread_join(a, 0);
    assert(counter == 8);
    return 0;
}
