//! The limit is looked at before the lock is taken.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *left(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (count < 1000) {
            count++;
        }
        assert(count <= 1000);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

void *right(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        count--;
        assert(count >= 0);
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
