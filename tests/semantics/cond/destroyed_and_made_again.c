//! A destroyed condition variable can be initialised again.
//! expect: valid-sync true
//! expect: no-data-race true
#include <pthread.h>

pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_destroy(&changed);
    pthread_cond_init(&changed, 0);
    pthread_cond_signal(&changed);
    pthread_cond_destroy(&changed);
    return 0;
}
