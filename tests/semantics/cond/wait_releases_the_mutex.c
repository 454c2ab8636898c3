//! cond_wait releases its mutex while it sleeps: the signaller can get in.
//! expect: no-deadlock true
//! expect: no-data-race true
//! expect: unreach-call true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, signaller, 0);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
