//! A producer stays at most four items ahead of its consumer, for ever.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned put, taken;

void *left(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (put - taken < 4) {
            put++;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(put - taken <= 4);
        if (put != taken) {
            taken++;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
