//! Who ignores the answer of trylock may be inside without the lock.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1; // violation: no-data-race
    x = 0; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_trylock(&m);
    assert(x == 0); // violation: unreach-call, no-data-race
    return 0;
}
