//! The writer does not look at the count.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int readers, writing;

void *left(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (!writing) {
            readers++;
            pthread_mutex_unlock(&lock);
            pthread_mutex_lock(&lock);
            assert(!writing);
            readers--;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

void *right(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (readers >= 0) {
            writing = 1;
            pthread_mutex_unlock(&lock);
            pthread_mutex_lock(&lock);
            assert(readers == 0);
            writing = 0;
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
