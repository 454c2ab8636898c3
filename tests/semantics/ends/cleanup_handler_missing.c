//! A thread that exits with a mutex locked, its handler popped too early, leaves it locked.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void unlocks(void *lock) { pthread_mutex_unlock(lock); }

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlocks, &m);
    pthread_cleanup_pop(0);
    pthread_exit(arg);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); // violation: no-deadlock
    return 0;
}
