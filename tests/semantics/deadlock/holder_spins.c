//! A thread that spins with a mutex held is not blocked: who waits for the mutex is not in a deadlock.
//! expect: no-deadlock true
//! gcc: skip does not terminate
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        ;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
