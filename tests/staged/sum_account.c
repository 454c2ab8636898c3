//! What is paid in and out under a lock stays in step, whoever comes first: eight threads, each sum a matter of which sections came before.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100, paid_in, paid_out;

void *customer(void *argument) {
    int amount = (int)(long)argument;
    pthread_mutex_lock(&lock);
    balance += amount;
    paid_in += amount;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (balance >= 3 * amount) {
        balance -= 3 * amount;
        paid_out += 3 * amount;
    }
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *auditor(void *argument) {
    pthread_mutex_lock(&lock);
    int should = 100 + paid_in - paid_out;
    assert(balance == should);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[8];
    for (long i = 0; i < 7; i++)
        pthread_create(&threads[i], 0, customer, (void *)(10 + 7 * i));
    pthread_create(&threads[7], 0, auditor, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    assert(balance - paid_in + paid_out == 100);
    return 0;
}
