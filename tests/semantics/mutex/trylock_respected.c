//! Who goes in only when trylock succeeded holds the lock.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    if (pthread_mutex_trylock(&m) == 0) {
        assert(x == 0);
        pthread_mutex_unlock(&m);
    }
    pthread_join(a, 0);
    return 0;
}
