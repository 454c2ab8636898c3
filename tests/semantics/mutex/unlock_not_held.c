//! Unlocking a normal mutex that nobody holds is reported.
//! expect: valid-sync false
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m); // violation: valid-sync
    return 0;
}
