//! Two accounts, each with a lock, and transfers without end that take them in one order.
//! expect: no-deadlock true
//! expect: no-data-race true
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int one, other;

void *there(void *unused) {
    for (;;) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&second);
        one--;
        other++;
        pthread_mutex_unlock(&second);
        pthread_mutex_unlock(&first);
    }
}

void *back(void *unused) {
    for (;;) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&second);
        other--;
        one++;
        pthread_mutex_unlock(&second);
        pthread_mutex_unlock(&first);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    return 0;
}
