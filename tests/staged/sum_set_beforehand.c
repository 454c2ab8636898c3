//! What is set before anybody adds is where the sum begins; on one way it is set twice.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, first;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    count += (int)(long)argument;
    assert(count >= first);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[5];
    first = 7;
    if (__VERIFIER_nondet_bool())
        first = 9;
    count = first;
    for (long i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, add, (void *)i);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    assert(count == first + 10);
    return 0;
}
