//! The same where one lets go of the lock between taking away and giving, in few rounds.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int here = 1000, there;

void *carry(void *argument) {
    for (int i = 0; i < 7; i++) {
        pthread_mutex_lock(&lock);
        here -= 3;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        there += 3;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

void *look(void *argument) {
    for (int i = 0; i < 7; i++) {
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
    assert(there == 42);
    return 0;
}
