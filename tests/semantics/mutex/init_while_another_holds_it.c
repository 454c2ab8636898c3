//! Two threads initialise a mutex before they use it: the second may come while the first holds it.
//! expect: valid-sync false
//! expect: no-data-race false
//! gcc: skip initialised without complaint
#include <pthread.h>

static pthread_mutex_t lock;

static void *works(void *argument) {
    pthread_mutex_init(&lock, 0); // violation: valid-sync, no-data-race
    pthread_mutex_lock(&lock); // violation: valid-sync, no-data-race
    pthread_mutex_unlock(&lock); // violation: valid-sync, no-data-race
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, works, 0);
    pthread_create(&second, 0, works, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
