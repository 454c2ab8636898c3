//! A mutex that is held is copied: nobody has locked the copy.
//! expect: valid-sync false
//! gcc: skip the copy is unlocked without complaint
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_t copy = lock;
    pthread_mutex_unlock(&copy); // violation: valid-sync
    pthread_mutex_unlock(&lock);
    return 0;
}
