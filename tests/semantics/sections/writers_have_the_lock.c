//! Inside a critical section a value stays if all its writers take the lock, even if others read without it.
//! expect: unreach-call true
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x++; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int early = x; // violation: no-data-race
    pthread_mutex_lock(&m);
    int before = x;
    int after = x;
    assert(before == after && early <= before);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
