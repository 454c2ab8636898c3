//! One function makes more threads than its caller joins.
//! expect: no-data-race false
#include <pthread.h>

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    total++; // violation: no-data-race
    pthread_mutex_unlock(&m);
    return arg;
}

static void start(pthread_t *t, int n) {
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, work, 0);
}

int main(void) {
    pthread_t t[2];
    start(t, 2);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    total = 5; // violation: no-data-race
    pthread_join(t[1], 0);
    return 0;
}
