//! Nothing that stands behind a lock that is never released happens.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *stuck(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, stuck, 0);
    assert(x == 0);
    return 0;
}
