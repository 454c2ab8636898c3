//! Threads without end, and one that tries: nobody waits for the lock here, so what holds while it is free has to be said.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t each = PTHREAD_MUTEX_INITIALIZER;
int here, there;

void set(int *which, int value) {
    pthread_mutex_lock(&each);
    *which = value;
    pthread_mutex_unlock(&each);
}

void *mover(void *arg) {
    pthread_mutex_lock(&account);
    set(&here, 1);
    set(&there, 1);
    set(&here, 0);
    set(&there, 0);
    pthread_mutex_unlock(&account);
    return arg;
}

void *auditor(void *arg) {
    while (pthread_mutex_trylock(&account)) {
    }
    assert(here == there);
    pthread_mutex_unlock(&account);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, auditor, 0);
    for (;;)
        pthread_create(&t, 0, mover, 0);
}
