//! Between two critical sections others have their turn, on whichever way the first was left.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    int before = x;
    if (y == 0) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    assert(x == before); // violation: unreach-call
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
