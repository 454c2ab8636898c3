//! Threads without end under a mutex: one of them changes something outside.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left, right;

void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    assert(left == right); // violation: unreach-call
    left = left + 1;
    right = right + 1;
    pthread_mutex_unlock(&lock);
    left = right;
    return arg;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
