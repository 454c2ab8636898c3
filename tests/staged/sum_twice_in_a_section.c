//! A section that adds once or twice: what the second addition is added to is what the first one left.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, twice;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    count = count + 1;
    if (__VERIFIER_nondet_bool()) {
        count = count + 2;
        twice = twice + 2;
    }
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    assert(count == twice + 5);
    assert(count >= 5 && count <= 15);
    return 0;
}
