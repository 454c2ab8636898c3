//! pthread_once runs its function once, and everyone returns only after it is done.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;

static void initialise(void) { x++; }

static void *child(void *arg) {
    pthread_once(&once, initialise);
    assert(x == 1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
