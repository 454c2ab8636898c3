//! A read and a write by two threads race.
//! expect: no-data-race false
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int seen = x; // violation: no-data-race
    assert(seen == 0 || seen == 1);
    pthread_join(a, 0);
    return 0;
}
