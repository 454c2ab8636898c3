//! A wait by a thread that does not hold the mutex sleeps all the same; here nobody wakes it.
//! expect: no-deadlock false
//! expect: valid-sync false
//! gcc: skip blocks by design
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_wait(&c, &m); // violation: no-deadlock, valid-sync
    return 0;
}
