//! One function makes the threads, its caller joins them.
//! expect: no-data-race true
//! expect: unreach-call true
//! expect: valid-sync true
#include <assert.h>
#include <pthread.h>

#define N 2

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    total++;
    pthread_mutex_unlock(&m);
    return arg;
}

static void start(pthread_t *t, int n) {
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, work, 0);
}

int main(void) {
    pthread_t t[N];
    start(t, N);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(total == N);
    return 0;
}
