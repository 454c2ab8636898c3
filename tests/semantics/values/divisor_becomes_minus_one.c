//! Only one interleaving divides the smallest number by -1.
//! expect: no-div-zero false
//! gcc: skip it may end the process with a signal
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int dividend = INT_MIN, divisor = 2;

static void *negate(void *a) {
    pthread_mutex_lock(&m);
    divisor = -1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    dividend = 7;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, negate, 0);
    pthread_mutex_lock(&m);
    int share = dividend / divisor; // violation: no-div-zero
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return share == 1;
}
