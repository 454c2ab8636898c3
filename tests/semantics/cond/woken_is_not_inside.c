//! Taking the mutex again is a separate step: between wake-up and return a third thread can take what was announced.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items, signalled;

static void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    if (!signalled) {
        pthread_cond_wait(&c, &m);
        if (signalled)
            assert(items == 1); // violation: unreach-call
    }
    pthread_mutex_unlock(&m);
    return arg;
}

static void *thief(void *arg) {
    pthread_mutex_lock(&m);
    items = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_mutex_lock(&m);
    items = signalled = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
