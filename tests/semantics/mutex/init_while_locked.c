//! A mutex is initialised a second time while it is locked.
//! expect: valid-sync false
//! gcc: skip initialised without complaint
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
    pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_init(&lock, 0); // violation: valid-sync
    return 0;
}
