//! Of two locks that all accesses hold, one is enough to keep others out.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    int before = x;
    pthread_mutex_unlock(&n);
    assert(x == before && x != 1);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
