//! A critical section protects nothing from a thread that writes without the lock.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    int before = x; // violation: no-data-race
    int after = x; // violation: no-data-race
    assert(before == after); // violation: unreach-call
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
