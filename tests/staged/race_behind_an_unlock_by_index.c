//! Which lock is given back depends on a value, so that perhaps none is held behind it.
//! expect: no-data-race false
//! expect: unreach-call true
#include <pthread.h>

int x = 1, data;
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *even(void *arg) {
    __atomic_store_n(&x, 0, 5);
    return arg;
}

static void *user(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[__atomic_load_n(&x, 5)]);
    data = 1;
    return arg;
}

static void *other(void *arg) {
    pthread_mutex_lock(&m[0]);
    data = 2;
    pthread_mutex_unlock(&m[0]);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, other, 0);
    return 0;
}
