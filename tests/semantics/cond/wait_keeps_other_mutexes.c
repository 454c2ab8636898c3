//! cond_wait releases only its own mutex: a signaller that needs another one held by the sleeper never comes.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *arg) {
    pthread_mutex_lock(&outer); // violation: no-deadlock
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&outer);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, signaller, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&outer);
    pthread_join(a, 0);
    return 0;
}
