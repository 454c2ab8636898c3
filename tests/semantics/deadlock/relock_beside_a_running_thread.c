//! A thread that waits for a mutex it holds itself is a cycle of one, although main still runs.
//! expect: no-deadlock false
//! gcc: skip does not terminate
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // violation: no-deadlock
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    while (!stop)
        ;
    return 0;
}
