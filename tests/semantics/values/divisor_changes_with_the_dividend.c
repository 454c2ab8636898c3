//! Dividend and divisor change together: the smallest number is never divided by -1.
//! expect: no-div-zero true
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int dividend = INT_MIN, divisor = 2;

static void *negate(void *a) {
    pthread_mutex_lock(&m);
    divisor = -1;
    dividend = 7;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, negate, 0);
    pthread_mutex_lock(&m);
    int share = dividend / divisor;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return share == 1;
}
