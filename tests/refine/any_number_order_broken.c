//! Threads without end that take two locks, one of them in the other order.
//! expect: no-deadlock false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
pthread_t first;
int sent, received;

void deliver(void) {
    pthread_mutex_lock(&to);
    received = sent;
    pthread_mutex_unlock(&to);
}

void *sender(void *arg) {
    pthread_mutex_lock(&from);
    sent = 1 - sent;
    deliver();
    assert(received == sent);
    pthread_mutex_unlock(&from);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&to);
    int seen = received;
    pthread_mutex_lock(&from);
    pthread_mutex_unlock(&from);
    pthread_mutex_unlock(&to);
    assert(seen == 0 || seen == 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&first, 0, sender, 0);
    pthread_join(first, 0);
    for (;;) {
        pthread_create(&t, 0, sender, 0);
        pthread_create(&t, 0, reader, 0);
    }
}
