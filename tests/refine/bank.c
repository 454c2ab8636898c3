//! Two threads carry over from one account to the other while a third one looks: what it sees does not depend on when.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int here = 1000, there;

void *carry(void *argument) {
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&lock);
        here -= 3;
        there += 3;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

void *look(void *argument) {
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&lock);
        int sum = here + there;
        pthread_mutex_unlock(&lock);
        assert(sum == 1000);
    }
    return argument;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, carry, 0);
    pthread_create(&u, 0, carry, 0);
    pthread_create(&v, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    assert(there == 30000);
    return 0;
}
