//! Unlocking a normal mutex that another thread holds is reported.
//! expect: valid-sync false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_unlock(&m); // violation: valid-sync
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    return 0;
}
