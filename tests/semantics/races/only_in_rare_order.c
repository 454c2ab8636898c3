//! A race is one reachable state where either can come next, even if most runs order the accesses through a lock.
//! expect: no-data-race false
//! expect: unreach-call true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x = 1; // violation: no-data-race
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
