//! Whoever reads with the lock sees only what a section leaves behind, also before its writer is joined.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    assert(x != 1);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
