//! Two threads initialise and use a mutex in the order that another mutex gives them.
//! expect: no-data-race true
//! expect: valid-sync true
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second;
int made;

void *use(void *argument) {
    pthread_mutex_lock(&first);
    if (!made) {
        pthread_mutex_init(&second, 0);
        made = 1;
    }
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, use, 0);
    use(0);
    pthread_join(t, 0);
    return 0;
}
