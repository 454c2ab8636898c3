//! Threads without end under a mutex: what one of them finds inside is never half done.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left, right;

void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    assert(left == right);
    left = left + 1;
    right = right + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
