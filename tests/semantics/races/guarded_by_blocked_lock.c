//! An access behind a lock that another thread keeps for ever cannot come next.
//! expect: no-data-race true
//! expect: no-deadlock true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    x = 1;
    return 0;
}
