//! Waiting for a condition variable ends a critical section and begins another.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    int before = x;
    if (before == 0)
        pthread_cond_wait(&c, &m);
    assert(x == before); // violation: unreach-call
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
