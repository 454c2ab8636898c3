//! A cycle of three.
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *child(void *arg) {
    int i = (int)(intptr_t)arg;
    pthread_mutex_lock(&m[i]);
    pthread_mutex_lock(&m[(i + 1) % 3]); // violation: no-deadlock
    pthread_mutex_unlock(&m[(i + 1) % 3]);
    pthread_mutex_unlock(&m[i]);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, child, (void *)1);
    pthread_create(&b, 0, child, (void *)2);
    child(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
