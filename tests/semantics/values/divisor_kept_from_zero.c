//! A divisor that all threads keep away from zero.
//! expect: no-div-zero true
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int parts = 1;

static void *more(void *a) {
    pthread_mutex_lock(&m);
    parts = parts == 1 ? 2 : 1;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, more, 0);
    pthread_mutex_lock(&m);
    int share = 12 / parts;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return share < 0;
}
