//! The same with an ordinary mutex: the second way ends before it can be taken again.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value, twice;

void *writer(void *argument) {
    pthread_mutex_lock(&lock);
    if (!twice) {
    } else {
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    value = 1;
    value = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    twice = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    assert(value != 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
