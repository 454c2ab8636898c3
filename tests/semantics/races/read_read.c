//! Two reads do not race.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x = 1, seen;

static void *child(void *arg) {
    seen = x;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    assert(x == 1);
    pthread_join(a, 0);
    assert(seen == 1);
    return 0;
}
