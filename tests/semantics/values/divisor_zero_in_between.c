//! A divisor that is zero for a moment, and is read without the lock.
//! expect: no-div-zero false
//! gcc: skip it may divide by zero
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int parts = 1;

static void *more(void *a) {
    pthread_mutex_lock(&m);
    parts = 0;
    parts = 2;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, more, 0);
    int share = 12 / parts; // violation: no-div-zero
    pthread_join(t, 0);
    return share < 0;
}
