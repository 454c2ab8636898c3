//! Who holds a mutex may look at its bytes: another one that gets it later comes behind that.
//! expect: no-data-race true
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int held;

void *look(void *argument) {
    pthread_mutex_lock(&lock);
    held = *(int *)&lock != 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *other(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, look, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
