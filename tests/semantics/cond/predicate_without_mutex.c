//! A predicate set without the mutex can slip in between its test and the sleep: the wake-up is lost.
//! expect: no-deadlock false
//! expect: no-data-race true
//! gcc: skip blocks by design
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, waiter, 0);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_join(a, 0); // violation: no-deadlock
    return 0;
}
