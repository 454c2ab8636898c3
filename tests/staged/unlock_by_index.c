//! Which lock is given back depends on a value: perhaps the one that is given back once more at the end.
//! expect: valid-sync false
#include <pthread.h>

int x = 2;
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *even(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_unlock(&m[0]);
    __atomic_store_n(&x, 0, 5);
    return arg;
}

static void *user(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_unlock(&m[0]);
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[x & 1]);
    pthread_mutex_unlock(&m[x & 1]);
    pthread_mutex_unlock(&m[0]);
    return arg;
}

static void *odd(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, odd, 0);
    return 0;
}
