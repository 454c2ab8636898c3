//! A cleanup in an inner scope unlocks at the end of that scope, before the access.
//! expect: no-data-race false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void unlocks(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }

static void *adds(void *arg) {
    {
        __attribute__((cleanup(unlocks))) pthread_mutex_t *guard = &m;
        pthread_mutex_lock(guard);
    }
    x++; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    return 0;
}
