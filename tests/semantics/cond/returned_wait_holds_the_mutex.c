//! When cond_wait returns, however it was woken, the mutex is held again.
//! expect: no-data-race true
//! expect: unreach-call true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *signaller(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_cond_signal(&c);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, signaller, 0);
    pthread_cond_wait(&c, &m);
    assert(x == 0 || x == 2);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
