//! One of two numbers is changed in a section of its own: in between they do not agree, afterwards they do.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance, paid_in;

void *customer(void *argument) {
    int amount = (int)(long)argument;
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    paid_in += amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *auditor(void *argument) {
    pthread_mutex_lock(&lock);
    int seen = paid_in;
    int now = balance;
    assert(now == seen);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, customer, (void *)(1 + i));
    pthread_create(&threads[3], 0, auditor, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(balance == paid_in);
    return 0;
}
