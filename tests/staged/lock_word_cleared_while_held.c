//! The word of a lock is overwritten by its only holder, after everybody has taken it for the last time: giving it back is a misuse.
//! expect: valid-sync false
#include <pthread.h>

pthread_mutex_t m;

static void *clear(void *arg) {
    *(int *)&m = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, clear, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    *(int *)&m = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
