//! Signalling a destroyed condition variable is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

pthread_cond_t changed;

int main(void) {
    pthread_cond_init(&changed, 0);
    pthread_cond_destroy(&changed);
    pthread_cond_signal(&changed); // violation: valid-sync
    return 0;
}
